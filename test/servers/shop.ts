/** Actions of the server tests in a service's demo shop. */
import assert from 'node:assert/strict';
import { caller } from '../call.ts';
import type { ServiceProcess } from '../service.ts';

/** Creates a product with this stock, and returns a function that buys one as a guest. */
export async function offer({ url, exports }: ServiceProcess, quantity: number) {
  const call = caller(url!);
  const businessId = exports.BUSINESS!;
  const path = `/v1/businesses/${businessId}` as const;
  const { status, body } = await call('POST', `${path}/products`, {
    headers: { 'x-api-key': exports.KEY! },
    body: {
      name: `Limited to ${quantity}`,
      variants: [
        {
          id: 'main',
          name: 'Main',
          inventory: { tracked: true, quantity },
          pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1200 }] },
        },
      ],
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  const { body: guest } = await call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
  const order = {
    businessId,
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'standard',
    items: [{ productId: body.id, variantId: 'main', quantity: 1 }],
  };
  return {
    call,
    buy: () => call('POST', `${path}/orders/checkout`, { token: guest.accessToken, body: order }),
  };
}
