import type { Db } from '../../db/sql.ts';
import type { FindSuppressed } from '../catalog/index.ts';
import type { createReferences } from './references.ts';
import type { CartLinks } from './reminders/links.ts';

/** Whether this customer, or this email address, has placed an order since `since`. */
type HasOrdered = (
  db: Db,
  businessId: string,
  customer: { userId: string; email: string; since: number },
) => Promise<boolean>;

export type Carts = Readonly<{
  links: CartLinks;
  hasOrdered: HasOrdered;
  findSuppressed: FindSuppressed;
  references: ReturnType<typeof createReferences>;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly carts: Carts;
  }
}
