/** The part of Scalar's configuration that the reference uses: https://scalar.com/products/api-references/configuration */
type Configuration = {
  content: object;
  servers: { url: string }[];
  authentication: { preferredSecurityScheme: string };
  defaultHttpClient: { targetKey: string; clientKey: string };
  agent: { disabled: boolean };
  mcp: { disabled: boolean };
  hideClientButton: boolean;
  hideDarkModeToggle: boolean;
  documentDownloadType: 'none';
  persistAuth: boolean;
  showDeveloperTools: 'never';
  telemetry: boolean;
  withDefaultFonts: boolean;
};

declare global {
  const Scalar: { createApiReference(selector: string, configuration: Configuration): void };
}

export {};
