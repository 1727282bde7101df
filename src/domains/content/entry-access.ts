/**
 * Who sees an entry. Of a collection: everybody once it is PUBLISHED, before that CONTENT_READ and CONTENT_WRITE. Of an
 * order: ORDER_READ, and the order's customer once it is PUBLISHED. Of a reservation: the staff, because we do not know whose
 * the reservation is.
 */
import type { Db } from '../../db/connection.ts';
import { type Caller, may } from '../../shared/caller.ts';
import type { References } from './references.ts';
import { CONTENT_STATUSES } from './schemas.ts';

export type OwnerKind = 'collection' | 'order' | 'reservation';

export function parseOwner(owner: string): { kind: OwnerKind; id: string } {
  const colon = owner.indexOf(':');
  return { kind: owner.slice(0, colon) as OwnerKind, id: owner.slice(colon + 1) };
}

export const isContentStaff = (caller: Caller, businessId: string) =>
  may(caller, businessId, 'CONTENT_READ') || may(caller, businessId, 'CONTENT_WRITE');

const PUBLIC: readonly string[] = ['PUBLISHED'];

/** The statuses that the caller sees of this owner's entries; without an owner, of all collections. From memory, or else a promise. */
export function visibleStatuses(
  references: References,
  db: Db,
  caller: Caller,
  businessId: string,
  owner: string | null,
): readonly string[] | Promise<readonly string[]> {
  const { kind, id } = owner === null ? { kind: 'collection', id: '' } : parseOwner(owner);
  if (kind === 'order') {
    if (may(caller, businessId, 'ORDER_READ')) return CONTENT_STATUSES;
    return references
      .findOrder(db, businessId, id)
      .then((order) => (order?.customerId === caller.userId ? PUBLIC : []));
  }
  if (isContentStaff(caller, businessId)) return CONTENT_STATUSES;
  return kind === 'collection' ? PUBLIC : [];
}
