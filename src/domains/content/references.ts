import type { Db } from '../../db/sql.ts';
import type { Reference, TargetType } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { ContentServices } from './context.ts';

/** Those of `ids` that exist in the business, found with one query. `publicOnly`: that everybody sees. */
type FindExisting = (db: Db, businessId: string, ids: string[], publicOnly: boolean) => Promise<Iterable<string>>;
type FindOrder = (db: Db, businessId: string, orderId: string) => Promise<{ customerId: string } | null>;

/**
 * What content points to lies in other rooms, some of them above this one: `app.ts` registers who can tell whether it
 * exists. What nobody has registered does not exist.
 */
export function createReferences() {
  const finders = new Map<TargetType, FindExisting>();
  let findOrder: FindOrder = async () => null;

  return {
    registerReferenceTarget(type: TargetType, find: FindExisting): void {
      finders.set(type, find);
    },
    registerOrderFinder(find: FindOrder): void {
      findOrder = find;
    },
    findOrder: (db: Db, businessId: string, orderId: string) => findOrder(db, businessId, orderId),
    async findMissing(
      db: Db,
      businessId: string,
      type: TargetType,
      ids: string[],
      publicOnly: boolean,
    ): Promise<Set<string>> {
      const existing = new Set(await finders.get(type)?.(db, businessId, ids, publicOnly));
      return new Set(ids.filter((id) => !existing.has(id)));
    },
  };
}

export type References = ReturnType<typeof createReferences>;

/**
 * Which references of blocks name nothing. One query for each type of target, all at once, however many references there
 * are. Reads on the handle of `ctx`, so also inside a transaction. `publicOnly`: for those who are not staff, what they cannot see
 * does not exist.
 */
export async function checkReferences(
  { db, businessId, content }: { db: Db; businessId: string } & Pick<ContentServices, 'content'>,
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
  message: `${field} names no ${type} of this business.`,
});
