/** The entry point of each bundle. */
export const ENTRIES = { storefront: 'storefront/main.tsx', admin: 'admin/main.tsx', reference: 'reference/main.ts' };

export type BundleName = keyof typeof ENTRIES;

export const BUNDLE_NAMES = Object.keys(ENTRIES) as BundleName[];

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
