/** The API reference: shows /openapi.json with Scalar. Requests go to this service; the token stays in memory. */
import './scalar/scalar.min.js';
import './style.css';
import { type Api, adaptDocument } from './document.ts';

const response = await fetch('/openapi.json');
const api = (await response.json()) as Api;
adaptDocument(api);

Scalar.createApiReference('#app', {
  content: api,
  servers: [{ url: location.origin }],
  authentication: { preferredSecurityScheme: 'bearer' },
  persistAuth: false,
  // The adapted document is not for downloading; its description links to the original.
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // The colors follow the system, as on the other pages.
  hideDarkModeToggle: true,
  // Load nothing from other hosts: no fonts, no telemetry, no hosted services.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
});
