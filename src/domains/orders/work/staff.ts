/** The members who work on orders: they can be assigned to an order and mentioned in its notes. */
import { invalidField } from '../../../shared/errors.ts';
import type { Page } from '../../../shared/paging.ts';
import { listPermittedMembers, type PermittedMember } from '../../accounts/index.ts';
import type { Query } from '../context.ts';
import type { Order } from '../schemas.ts';

const MAX_STAFF = 500;

type Reader = Pick<Query, 'db' | 'businessId'>;

/** The members among `userIds` who can see orders. */
export const findStaff = ({ db, businessId }: Reader, userIds: readonly string[]) =>
  listPermittedMembers(db, businessId, 'ORDER_READ', { userIds, limit: userIds.length });

export async function readStaff({ db, businessId }: Query): Promise<Page<PermittedMember>> {
  return { items: await listPermittedMembers(db, businessId, 'ORDER_READ', { limit: MAX_STAFF }), cursor: null };
}

export async function checkAssignee(ctx: Reader, userId: string | null): Promise<string | null> {
  if (userId === null || (await findStaff(ctx, [userId])).length > 0) return userId;
  throw invalidField('assignee', 'NOT_FOUND', 'assignee must be a member who can see orders.');
}

/** Hides assignees who have left the business or can no longer see orders. */
export async function hideInactiveAssignees(ctx: Reader, orders: Order[]): Promise<Order[]> {
  const assigned = [...new Set(orders.flatMap(({ assignee }) => (assignee ? [assignee] : [])))];
  if (assigned.length === 0) return orders;
  const present = new Set((await findStaff(ctx, assigned)).map(({ id }) => id));
  return orders.map((order) => (order.assignee && !present.has(order.assignee) ? { ...order, assignee: null } : order));
}
