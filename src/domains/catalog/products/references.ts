import type { Db, Tx } from '../../../db/sql.ts';
import { existingCategories } from '../categories/queries.ts';
import { existingProducts } from './queries.ts';
import type { ProductChanges } from './schemas.ts';

type Named = Pick<ProductChanges, 'categoryIds' | 'relatedIds'>;

/** The categories and products that the changes refer to, without those that don't exist. In a transaction, the categories can't be deleted until it ends. */
export async function findReferenced(db: Db | Tx, businessId: string, changes: Named): Promise<ReadonlySet<string>> {
  const { categoryIds = [], relatedIds = [] } = changes;
  const found = await Promise.all([
    categoryIds.length > 0 ? existingCategories(db, businessId, [...new Set(categoryIds)]) : [],
    relatedIds.length > 0 ? existingProducts(db, businessId, [...new Set(relatedIds)]) : [],
  ]);
  return new Set(found.flat());
}

/** The same for several changes at once. */
export const findAllReferenced = (db: Db | Tx, businessId: string, all: readonly Named[]) =>
  findReferenced(db, businessId, {
    categoryIds: all.flatMap(({ categoryIds = [] }) => categoryIds),
    relatedIds: all.flatMap(({ relatedIds = [] }) => relatedIds),
  });
