import type { Db } from '../../db/sql.ts';
import type { FieldError } from '../../shared/errors.ts';
import { findCollectionId } from './collections/queries.ts';
import { collectionIdOf, collectionOwner, ownerOf } from './owners.ts';

/**
 * The owner that a request names; a collection may be named by its slug. What names no collection is left as it is, and not found
 * later.
 */
export async function findOwner(
  { db, businessId }: { db: Db; businessId: string },
  { collectionId, owner }: { collectionId?: string | undefined; owner?: string | undefined },
  errors: FieldError[],
): Promise<string | undefined> {
  const idOf = async (idOrSlug: string) => (await findCollectionId(db, businessId, idOrSlug)) ?? idOrSlug;
  const named = owner === undefined ? null : collectionIdOf(owner);
  return ownerOf(
    {
      ...(collectionId === undefined ? {} : { collectionId: await idOf(collectionId) }),
      ...(owner === undefined ? {} : { owner: named === null ? owner : collectionOwner(await idOf(named)) }),
    },
    errors,
  );
}
