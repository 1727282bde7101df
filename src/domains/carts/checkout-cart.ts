/** Carts in a checkout: the cart is read before it, closed in its transaction, and reopened if the order is not paid. */
import type { EventSource } from '../../context/index.ts';
import type { Statement, Tx } from '../../db/sql.ts';
import { conflict, invalidField } from '../../shared/errors.ts';
import { type CartKey, cartOrdered, findOwnCart } from './access.ts';
import { type CartRow, viewCart } from './cart.ts';
import type { Command, Steps } from './context.ts';
import { closeCartOrAbort, lockCart } from './queries.ts';
import { saveCart, withReminder } from './write-cart.ts';

/** Throws 422 if the caller can't use the cart or it is empty, and 409 if it was ordered. */
export async function getCheckoutCart(ctx: Pick<Steps, 'db' | 'businessId' | 'now' | 'caller'>, key: CartKey) {
  const row = await findOwnCart(ctx, key);
  if (!row) throw invalidField('cartId', 'NOT_FOUND', 'This cart does not exist.');
  if (row.orderId !== null) throw cartOrdered();
  if (row.doc.items.length === 0) throw invalidField('cartId', 'EMPTY', 'This cart is empty.');
  return row;
}

/** Closes the cart in a pipelined transaction, which aborts with CART_CHANGED if the cart has changed since it was read. */
export const closeCart = (
  tx: Tx,
  row: CartRow,
  { orderId, now, source }: { orderId: string; now: number; source: EventSource },
): Statement<object[]>[] => {
  const { businessId, id, version } = row;
  const data = { ...viewCart({ ...row, orderId }), updatedAt: now };
  return [
    closeCartOrAbort(tx, { businessId, id, version, orderId, now }),
    source.eventWith(tx, {
      type: 'cart.ordered',
      entity: `cart:${id}`,
      data: tx`${tx.json(data as never)}::jsonb`,
    }),
  ];
};

export const cartChanged = () =>
  conflict('The cart was changed or checked out in the meantime. Fetch it, then try again.');

/** Opens the cart of an order that was not paid, so that the customer can try again. */
export async function reopenCart(
  ctx: Command,
  { cartId, orderId }: { cartId: string; orderId: string },
): Promise<void> {
  const row = await lockCart(ctx.db, ctx.businessId, cartId, ctx.now);
  if (row?.orderId !== orderId) return;
  saveCart(ctx, row, await withReminder(ctx, { ...row, orderId: null }));
}
