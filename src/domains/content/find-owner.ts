import type { Db } from '../../db/sql.ts';
import type { FieldError } from '../../shared/errors.ts';
import { findCollectionId } from './collections/queries.ts';
import { collectionIdOf, collectionOwner, ownerOf } from './owners.ts';

/**
 * Resolves the owner in a request. A collection may be given by slug. An unknown collection is returned as is, and a later
 * check reports it as not found.
 */
export async function findOwner(
  { db, businessId }: { db: Db; businessId: string },
  { collectionId, owner }: { collectionId?: string | undefined; owner?: string | undefined },
  errors: FieldError[],
): Promise<string | undefined> {
  const idOf = async (idOrSlug: string) => (await findCollectionId(db, businessId, idOrSlug)) ?? idOrSlug;
  const namedCollection = owner === undefined ? null : collectionIdOf(owner);
  return ownerOf(
    {
      ...(collectionId === undefined ? {} : { collectionId: await idOf(collectionId) }),
      ...(owner === undefined
        ? {}
        : { owner: namedCollection === null ? owner : collectionOwner(await idOf(namedCollection)) }),
    },
    errors,
  );
}
