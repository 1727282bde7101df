import type { Cache } from '../../db/broadcast.ts';
import type { Db } from '../../db/sql.ts';
import type { Tree } from './categories/tree.ts';
import type { createProductResponses } from './products/product-responses.ts';

/** Returns the keys of the addresses that must not get marketing email. */
export type FindSuppressed = (db: Db, businessId: string, emails: readonly string[]) => Promise<ReadonlySet<string>>;

export type Catalog = Readonly<{
  responses: ReturnType<typeof createProductResponses>;
  /** The category trees, by business. */
  trees: Cache<Tree>;
  findSuppressed: FindSuppressed;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly catalog: Catalog;
  }
}
