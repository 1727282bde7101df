import type { Db } from '../../db/connection.ts';
import type { Reference, TargetType } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';

/** Those of `ids` that exist in the business, found with one query. */
export type FindExisting = (db: Db, businessId: string, ids: string[]) => Promise<Iterable<string>>;
export type FindOrder = (db: Db, businessId: string, orderId: string) => Promise<{ customerId: string } | null>;

/**
 * What content points to lies in other rooms, some of them above this one: `app.ts` registers who can tell whether it
 * exists. What nobody has registered does not exist.
 */
export function createReferences() {
  const finders = new Map<TargetType, FindExisting>();
  let findOrder: FindOrder = async () => null;

  async function findMissing(db: Db, businessId: string, targetType: TargetType, ids: string[]): Promise<Set<string>> {
    const existing = new Set(await finders.get(targetType)?.(db, businessId, ids));
    return new Set(ids.filter((id) => !existing.has(id)));
  }

  return {
    registerReferenceTarget(type: TargetType, find: FindExisting): void {
      finders.set(type, find);
    },
    registerOrderFinder(find: FindOrder): void {
      findOrder = find;
    },
    findOrder: (db: Db, businessId: string, orderId: string) => findOrder(db, businessId, orderId),
    /** One query for each type of target, all at once, however many references there are. */
    async check(db: Db, businessId: string, references: readonly Reference[]): Promise<FieldError[]> {
      const byType = Map.groupBy(references, (reference) => reference.targetType);
      const errors = await Promise.all(
        [...byType].map(async ([type, named]) => {
          const missing = await findMissing(db, businessId, type, [...new Set(named.map(({ id }) => id))]);
          return named.filter(({ id }) => missing.has(id)).map(({ field }) => notFoundAt(field, type));
        }),
      );
      return errors.flat();
    },
  };
}

export type References = ReturnType<typeof createReferences>;

const notFoundAt = (field: string, type: TargetType): FieldError => ({
  field,
  error: 'NOT_FOUND',
  message: `${field} names no ${type} of this business.`,
});
