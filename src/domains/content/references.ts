import type { Db } from '../../db/sql.ts';
import type { Reference, TargetType } from '../../shared/blocks/index.ts';
import type { FieldError } from '../../shared/errors.ts';

/** The subset of `ids` that exists in the business, in one query. `publicOnly` limits it to publicly visible records. */
export type FindExisting = (
  db: Db,
  businessId: string,
  ids: string[],
  publicOnly: boolean,
) => Promise<Iterable<string>>;
export type FindOrder = (db: Db, businessId: string, orderId: string) => Promise<{ customerId: string } | null>;

/** Content refers to records of other domains, some of which depend on content. So each target type has its own finder. */
export function createReferences(finders: Readonly<Record<TargetType, FindExisting>>, findOrder: FindOrder) {
  return {
    findOrder,
    async findMissing(
      db: Db,
      businessId: string,
      type: TargetType,
      ids: string[],
      publicOnly: boolean,
    ): Promise<Set<string>> {
      const existing = new Set(await finders[type](db, businessId, ids, publicOnly));
      return new Set(ids.filter((id) => !existing.has(id)));
    },
  };
}

export type References = ReturnType<typeof createReferences>;

/**
 * Returns an error for each broken reference. Runs one query per target type, concurrently, on the handle of `ctx`, so it
 * also works inside a transaction. `publicOnly` treats records that only staff can see as missing.
 */
export async function checkReferences(
  { db, businessId, content }: { db: Db; businessId: string; content: { references: References } },
  references: readonly Reference[],
  { publicOnly = false }: { publicOnly?: boolean } = {},
): Promise<FieldError[]> {
  const byType = Map.groupBy(references, (reference) => reference.targetType);
  const errors = await Promise.all(
    [...byType].map(async ([type, named]) => {
      const ids = [...new Set(named.map(({ id }) => id))];
      const missing = await content.references.findMissing(db, businessId, type, ids, publicOnly);
      return named.filter(({ id }) => missing.has(id)).map(({ field }) => notFoundAt(field, type));
    }),
  );
  return errors.flat();
}

const notFoundAt = (field: string, type: TargetType): FieldError => ({
  field,
  error: 'NOT_FOUND',
  message: `${field} does not match any ${type} in this business.`,
});
