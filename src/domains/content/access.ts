/**
 * Who sees an entry. Of a collection: everybody once both are PUBLISHED, before that CONTENT_READ and CONTENT_WRITE. Of an
 * order: ORDER_READ, and the order's customer once it is PUBLISHED. Of a reservation: the staff, because we do not know whose
 * the reservation is.
 */
import type { Db } from '../../db/sql.ts';
import { type Caller, may } from '../../shared/caller.ts';
import type { ContentServices } from './context.ts';
import { parseOwner } from './owners.ts';
import { CONTENT_STATUSES } from './statuses.ts';

type Reader = { db: Db; caller: Caller; businessId: string } & ContentServices;

export const isContentStaff = ({ caller, businessId }: Pick<Reader, 'caller' | 'businessId'>) =>
  may(caller, businessId, 'CONTENT_READ') || may(caller, businessId, 'CONTENT_WRITE');

const PUBLIC: readonly string[] = ['PUBLISHED'];

/**
 * The statuses that the caller sees of this owner's entries; without an owner, of all collections. Whether they see the collection
 * itself is asked with the entries. A promise only if it must read.
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
