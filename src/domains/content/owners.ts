/** What an entry belongs to, written `collection:…`, `order:…` or `reservation:…`. Pure. */
import type { FieldError } from '../../shared/errors.ts';

type OwnerKind = 'collection' | 'order' | 'reservation';

export const collectionOwner = (collectionId: string) => `collection:${collectionId}`;

export function parseOwner(owner: string): { kind: OwnerKind; id: string } {
  const colon = owner.indexOf(':');
  return { kind: owner.slice(0, colon) as OwnerKind, id: owner.slice(colon + 1) };
}

/** The id of the collection that is the owner, or null for an owner of another kind. */
export function collectionIdOf(owner: string): string | null {
  const { kind, id } = parseOwner(owner);
  return kind === 'collection' ? id : null;
}

/** `collectionId` is another way to write `owner: collection:…`; both together must say the same. */
export function ownerOf(
  { collectionId, owner }: { collectionId?: string; owner?: string },
  errors: FieldError[],
): string | undefined {
  if (collectionId === undefined) return owner;
  const named = collectionOwner(collectionId);
  if (owner !== undefined && owner !== named) {
    errors.push({ field: 'owner', error: 'INVALID_VALUE', message: 'owner and collectionId name different owners.' });
  }
  return named;
}
