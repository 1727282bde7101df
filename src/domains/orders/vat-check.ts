/** Orders whose VAT ID could not be checked: VAT is charged, staff see that the ID is unchecked, and a task repeats the check. */
import { getBusiness } from '../businesses/index.ts';
import { checkVatId, vatIdToCheck } from '../pricing/index.ts';
import type { Steps } from './context.ts';
import { emitChanges } from './emit-order.ts';
import type { NewOrder, OrderDoc } from './order.ts';
import { findOrder, lockOrder, updateOrderRow } from './queries.ts';
import { deleteTask, type NewTask, type OrderTask, updateTaskDue } from './task-queries.ts';

const FIRST_DELAY_SECONDS = 300;
const MAX_DELAY_SECONDS = 21_600;
const GIVE_UP_SECONDS = 30 * 86_400;

export const vatTask = ({ businessId, id, doc }: NewOrder, nowSeconds: number): NewTask | null =>
  doc.vatCheck === 'UNCHECKED'
    ? { businessId, orderId: id, kind: 'VAT_CHECK', amount: null, dueAt: nowSeconds + FIRST_DELAY_SECONDS }
    : null;

/** The tax on the order stays as it is: staff decide whether to refund it. */
export async function repeatVatCheck(ctx: Steps, task: OrderTask): Promise<void> {
  const { businessId, orderId } = task;
  const found = await findOrder(ctx.db, businessId, orderId);
  const { configs } = await getBusiness(ctx, businessId);
  const vatId = found && vatIdToCheck(configs, addressesOf(found.doc));
  const result = vatId ? await checkVatId(ctx, vatId, found.customerId) : null;
  await ctx.transaction(async (tx) => {
    const ageSeconds = tx.now - (found?.createdAt ?? 0);
    if (result === 'UNCHECKED' && ageSeconds < GIVE_UP_SECONDS) {
      const delay = Math.min(MAX_DELAY_SECONDS, Math.max(FIRST_DELAY_SECONDS, ageSeconds));
      return updateTaskDue(tx.db, task, tx.now + delay);
    }
    const order = await lockOrder(tx.db, businessId, orderId);
    if (order?.doc.vatCheck === 'UNCHECKED' && result && result !== 'UNCHECKED') {
      emitChanges(tx, order, updateOrderRow(tx, { ...order, doc: { ...order.doc, vatCheck: result } }));
    }
    await deleteTask(tx.db, task);
  });
}

const addressesOf = ({ shippingAddress = null, billingAddress = null }: OrderDoc) => ({
  shippingAddress,
  billingAddress,
});
