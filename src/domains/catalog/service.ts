import type { createProductResponses } from './products/product-responses.ts';

export type Catalog = Readonly<{ responses: ReturnType<typeof createProductResponses> }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly catalog: Catalog;
  }
}
