/** The due time of a cart's reminder. Pure. */
import type { Configs } from '../../businesses/index.ts';
import type { CartRow } from '../cart.ts';

const DEFAULT_HOURS = 24;

/** Null if the business sends none, the customer didn't ask for one, or one was already sent. */
export function reminderTime(
  { email, doc, orderId }: Pick<CartRow, 'email' | 'doc' | 'orderId'>,
  { cartReminder }: Configs,
  nowSeconds: number,
): number | null {
  const isWanted = doc.consentAt !== null && doc.remindedAt === null && email !== null;
  if (!cartReminder?.enabled || !isWanted || orderId !== null || doc.items.length === 0) return null;
  return nowSeconds + (cartReminder.delayHours ?? DEFAULT_HOURS) * 3600;
}
