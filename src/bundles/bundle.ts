/** The entry point of each bundle. All but `site` run in browsers: it renders the pages of the storefront on the server. */
export const ENTRIES = {
  storefront: 'storefront/main.tsx',
  site: 'storefront/server.tsx',
  admin: 'admin/main.tsx',
  reference: 'reference/main.ts',
};

export type BundleName = keyof typeof ENTRIES;

export const BUNDLE_NAMES = Object.keys(ENTRIES) as BundleName[];

/** Bundles that browsers may load. */
export const BROWSER_BUNDLES = BUNDLE_NAMES.filter((name) => name !== 'site');

export type BundleFile = { body: Buffer; brotli: Buffer; type: string };

export type Bundle = {
  /** The page's entry module, and the modules it imports statically. */
  script: string;
  preloads: string[];
  styles: string[];
  files: Map<string, BundleFile>;
};

export type Bundles = {
  /** Builds the bundle on the first call only. */
  get(name: BundleName): Promise<Bundle>;
  /** Under `npm run dev`: calls the listener after each rebuild, and returns a function that removes it. Otherwise null. */
  onChange: ((listener: () => void) => () => void) | null;
};
