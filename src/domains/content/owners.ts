/** The owner of an entry: `collection:…`, `order:…` or `reservation:…`. Pure. */
import type { FieldError } from '../../shared/errors.ts';

type OwnerKind = 'collection' | 'order' | 'reservation';

export const collectionOwner = (collectionId: string) => `collection:${collectionId}`;

export function parseOwner(owner: string): { kind: OwnerKind; id: string } {
  const colon = owner.indexOf(':');
  return { kind: owner.slice(0, colon) as OwnerKind, id: owner.slice(colon + 1) };
}

/** The owning collection's ID, or null for other owners. */
export function collectionIdOf(owner: string): string | null {
  const { kind, id } = parseOwner(owner);
  return kind === 'collection' ? id : null;
}

/** `collectionId` is shorthand for `owner: collection:…`. If both are sent, they must agree. */
export function ownerOf(
  { collectionId, owner }: { collectionId?: string; owner?: string },
  errors: FieldError[],
): string | undefined {
  if (collectionId === undefined) return owner;
  const named = collectionOwner(collectionId);
  if (owner !== undefined && owner !== named) {
    errors.push({ field: 'owner', error: 'INVALID_VALUE', message: 'owner must match collectionId.' });
  }
  return named;
}
