import type { Cache } from '../../db/broadcast.ts';
import type { Tree } from './categories/tree.ts';
import type { createProductResponses } from './products/product-responses.ts';

export type Catalog = Readonly<{
  responses: ReturnType<typeof createProductResponses>;
  /** The category trees, by business. */
  trees: Cache<Tree>;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly catalog: Catalog;
  }
}
