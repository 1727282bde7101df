/** Places the order, at most once per cart. */
import { isSoukError } from '@souk/client';
import { keyOf, souk } from '../shop.ts';

/** The order being placed or paid, and its request. The payment page returns to it. */
type Pending = { key: string; request: string; orderId?: string; checkoutUrl?: string | undefined };
const PENDING = keyOf('pending');
export const readPending = (): Pending | null => JSON.parse(localStorage.getItem(PENDING) ?? 'null');
const writePending = (pending: Pending) => localStorage.setItem(PENDING, JSON.stringify(pending));

/** Places the order. The same request again, after a lost response or on the way back, returns to the open order. */
export async function placeOrder(input: Parameters<typeof souk.orders.checkout>[0]) {
  const request = JSON.stringify(input);
  const previous = readPending();
  const isRepeat = previous?.request === request && (await isOpen(previous));
  const key = isRepeat ? previous.key : crypto.randomUUID();
  if (!isRepeat) writePending({ key, request });
  const { orderId, checkoutUrl } = await souk.orders.checkout(input, { idempotencyKey: key });
  writePending({ key, request, orderId, checkoutUrl });
  return { orderId, checkoutUrl };
}

/** The order can still be paid, or the response that would say so was lost. */
async function isOpen({ orderId, checkoutUrl }: Pending): Promise<boolean> {
  if (orderId === undefined) return true;
  if (!checkoutUrl) return false;
  const order = await souk.orders.get(orderId).catch((error) => {
    if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN')) return null;
    throw error;
  });
  return order?.statuses.at(-1)?.status === 'PENDING' && order.paymentStatus.at(-1)?.status !== 'PAID';
}
