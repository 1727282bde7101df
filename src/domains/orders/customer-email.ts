import { isId } from '../../shared/ids.ts';
import { findUser, type UserSummary } from '../accounts/index.ts';
import { filterUsersWithActivity, findCustomer } from '../businesses/index.ts';
import type { Reads } from './context.ts';
import type { NewOrder } from './order.ts';

/** The customer in a request by staff: a user, or a customer record of the business, which may have no user yet. */
export async function findOrderCustomer(
  ctx: Reads,
  customerId: string,
): Promise<{ id: string; email: string | null } | null> {
  if (isId('cust', customerId)) {
    const record = await findCustomer(ctx.db, ctx.businessId, customerId);
    return record && { id: record.userId ?? record.id, email: record.email?.toLowerCase() ?? null };
  }
  const user = await findUser(ctx.db, customerId);
  return user && { id: user.id, email: await emailOf(ctx, user) };
}

/** The user's email; null if they have never acted in this business. Staff can't read or use an email by guessing a user ID. */
async function emailOf(ctx: Reads, { id, email }: UserSummary): Promise<string | null> {
  return email !== null && (await filterUsersWithActivity(ctx, [id])).has(id) ? email.toLowerCase() : null;
}

/** Sets the email that staff entered, unless the order already has it. `undefined` means staff entered none. */
export function withEmail<T extends NewOrder>(order: T, typed: string | null | undefined): T {
  const email = typed?.toLowerCase() ?? null;
  if (typed === undefined || email === order.customerEmail) return order;
  const { isEmailTyped: _, ...doc } = order.doc;
  return { ...order, customerEmail: email, doc: email === null ? doc : { ...doc, isEmailTyped: true } };
}
