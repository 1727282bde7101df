/**
 * Visibility of entries. Everyone sees an entry of a collection if both are PUBLISHED. Otherwise, it requires CONTENT_READ or
 * CONTENT_WRITE. An entry of an order requires ORDER_READ, except that the order's customer sees it once it is PUBLISHED. Only
 * staff see an entry of a reservation, because the reservation's owner is unknown.
 *
 * An entry with an `access` other than PUBLIC shows only its public part to callers who are neither content staff nor subscribers
 * with access.
 */
import type { Db } from '../../db/sql.ts';
import type { Audience } from '../../shared/records/response-cache.ts';
import { type Caller, isMember, may } from '../../shared/security/caller.ts';
import type { ContentServices } from './context.ts';
import { collectionIdOf, parseOwner } from './owners.ts';
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

/** Access to the whole entry. A missing or null `access` means everyone. */
export type Gate = { owner: string; access?: string | null; planIds?: readonly string[] | null };

/** The caller's current plan. */
export type ActivePlan = { collectionId: string; planId: string };
/** The active subscriptions of the caller to these newsletters. */
export type FindActivePlans = (
  reader: { db: Db; caller: Caller; businessId: string; now: number },
  collectionIds: string[],
) => Promise<ActivePlan[]>;

/** The IDs of the entries that were sent to all subscribers of a newsletter, or of any. */
export type ListSentEntries = (db: Db, businessId: string, collectionId: string | null) => Promise<string[]>;

export const opens = (plans: readonly ActivePlan[], { owner, access, planIds }: Gate) =>
  plans.some(
    ({ collectionId, planId }) =>
      collectionId === collectionIdOf(owner) && (access === 'SUBSCRIBERS' || (planIds ?? []).includes(planId)),
  );

/** Returns a function that decides how the caller sees an entry. Reads subscriptions only if one of these entries needs it. */
export async function findAudience(
  ctx: Reader & { now: number },
  gates: readonly Gate[],
): Promise<(gate: Gate) => Audience | 'reader'> {
  const usual: Audience = isMember(ctx.caller, ctx.businessId) ? 'member' : 'public';
  if (isContentStaff(ctx)) return () => usual;
  const isOpen = ({ access = null }: Gate) => access === null || access === 'PUBLIC';
  const collections = new Set(gates.flatMap((gate) => (isOpen(gate) ? [] : (collectionIdOf(gate.owner) ?? []))));
  const plans = collections.size === 0 ? [] : await ctx.content.findActivePlans(ctx, [...collections]);
  return (gate) => (isOpen(gate) ? usual : opens(plans, gate) ? 'reader' : 'public');
}
