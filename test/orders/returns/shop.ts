import type { Harness } from '../../harness.ts';
import { openShop, press } from '../shop.ts';

/** A shop with actions for returns. */
export async function openReturnShop(h: Harness, configs: object = {}) {
  const shop = await openShop(h, configs);
  const { base, staff, customer } = shop;
  const order = async (id: string) => (await h.call('GET', `${base}/orders/${id}`, { token: staff.token })).body;

  return {
    ...shop,
    /** A paid order of one product, with `shipped` items shipped. */
    async sold(product: string, quantity: number, shipped = quantity, more: object = {}) {
      const { body } = await shop.checkout(product, { quantity, ...more });
      await press(body.checkoutUrl!, 'pay');
      const { id, lines } = await order(body.orderId);
      const lineId = lines[0]!.id;
      if (shipped > 0) {
        await h.call('POST', `${base}/orders/${id}/shipments`, {
          token: staff.token,
          body: { lines: [{ lineId, quantity: shipped }] },
        });
      }
      return { id, lineId };
    },
    request: (
      { id, lineId }: { id: string; lineId: string },
      quantity: number,
      { type = 'RETURN', token = customer.token }: { type?: string; token?: string } = {},
    ) =>
      h.call('POST', `${base}/orders/${id}/returns`, {
        token,
        body: { type, lines: [{ lineId, quantity, reason: 'Too small' }] },
      }),
    step: (id: string, step: 'approve' | 'reject' | 'receive' | 'close', body: object = {}, token = staff.token) =>
      h.call('POST', `${base}/returns/${id}/${step}` as `${typeof base}/returns/${string}/close`, {
        token,
        body: body as never,
      }),
    refunds: async (id: string) =>
      (await h.call('GET', `${base}/orders/${id}/refunds`, { token: staff.token })).body.items,
    returns: async (query = '', token = staff.token) =>
      (await h.call('GET', `${base}/returns${query}` as `${typeof base}/returns`, { token })).body.items,
  };
}
