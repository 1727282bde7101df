/**
 * Visibility of entries. Everyone sees an entry of a collection if both are PUBLISHED. Otherwise, it requires CONTENT_READ or
 * CONTENT_WRITE. An entry of an order requires ORDER_READ, except that the order's customer sees it once it is PUBLISHED. Only
 * staff see an entry of a reservation, because the reservation's owner is unknown.
 */
import type { Db } from '../../db/sql.ts';
import { type Caller, may } from '../../shared/security/caller.ts';
import type { ContentServices } from './context.ts';
import { parseOwner } from './owners.ts';
import { CONTENT_STATUSES } from './statuses.ts';

type Reader = { db: Db; caller: Caller; businessId: string } & ContentServices;

export const isContentStaff = ({ caller, businessId }: Pick<Reader, 'caller' | 'businessId'>) =>
  may(caller, businessId, 'CONTENT_READ') || may(caller, businessId, 'CONTENT_WRITE');

const PUBLIC: readonly string[] = ['PUBLISHED'];

/**
 * The statuses in which the caller sees this owner's entries, or those of all collections if there is no owner. The entry
 * queries check whether the collection itself is visible. Returns a promise only if it has to read from the database.
 */
export function visibleStatuses(ctx: Reader, owner: string | null): readonly string[] | Promise<readonly string[]> {
  const { db, caller, businessId, content } = ctx;
  const { kind, id } = owner === null ? { kind: 'collection', id: '' } : parseOwner(owner);
  if (kind === 'order') {
    if (may(caller, businessId, 'ORDER_READ')) return CONTENT_STATUSES;
    return content.references
      .findOrder(db, businessId, id)
      .then((order) => (order?.customerId === caller.userId ? PUBLIC : []));
  }
  if (isContentStaff(ctx)) return CONTENT_STATUSES;
  return kind === 'collection' ? PUBLIC : [];
}
