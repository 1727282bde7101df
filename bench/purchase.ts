/** The steps of a purchase, for a guest of the service and of the bare routes. */

export const STEPS = ['log in', 'quote', 'check out', 'pay', 'read the order'] as const;
export type Step = (typeof STEPS)[number];

export type Visit = { productId: string; token: string; orderId: string; payPath: string };
export type Call = { method: string; path: string; json?: object; form?: string };
export type ResponseBody = {
  accessToken: string;
  orderId: string;
  checkoutUrl: string;
  paymentStatus: { status: string }[];
};
type Action = { call(visit: Visit): Call; read?(visit: Visit, response: ResponseBody): void };
/** The steps, and a product view, which is not part of the purchase. */
type Plan = Record<Step | 'firstRead', Action>;

export const soukPlan = (businessId: string): Plan => {
  const cart = (visit: Visit) => [
    { type: 'PRODUCT_VARIANT', productId: visit.productId, variantId: 'small', quantity: 1 },
  ];
  const common = { businessId, market: 'us', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard' };
  const orders = `/v1/businesses/${businessId}/orders`;
  return {
    firstRead: {
      call: (visit) => ({ method: 'GET', path: `/v1/businesses/${businessId}/products/${visit.productId}` }),
    },
    'log in': {
      call: () => ({ method: 'POST', path: '/v1/users/login', json: { provider: 'GUEST' } }),
      read: (visit, response) => void Object.assign(visit, { token: response.accessToken }),
    },
    quote: {
      call: (visit) => ({ method: 'POST', path: '/v1/payments/quote', json: { ...common, lines: cart(visit) } }),
    },
    'check out': {
      call: (visit) => ({ method: 'POST', path: `${orders}/checkout`, json: { ...common, items: cart(visit) } }),
      read: (visit, { orderId, checkoutUrl }) =>
        void Object.assign(visit, { orderId, payPath: new URL(checkoutUrl).pathname }),
    },
    pay: { call: (visit) => ({ method: 'POST', path: visit.payPath, form: 'action=pay' }) },
    'read the order': {
      call: (visit) => ({ method: 'GET', path: `${orders}/${visit.orderId}` }),
      read: (_visit, { paymentStatus }) => {
        if (paymentStatus.at(-1)?.status !== 'PAID') throw new Error('The order is not paid.');
      },
    },
  };
};

export const barePlan = (businessId: string): Plan => ({
  firstRead: { call: (visit) => ({ method: 'GET', path: `/purchase/products/${businessId}/${visit.productId}` }) },
  'log in': { call: () => ({ method: 'POST', path: '/purchase/guests', json: {} }) },
  quote: { call: (visit) => ({ method: 'GET', path: `/purchase/products/${businessId}/${visit.productId}` }) },
  'check out': {
    call: ({ productId }) => ({
      method: 'POST',
      path: `/purchase/orders/${businessId}`,
      json: { productId, variantId: 'small', quantity: 1 },
    }),
    read: (visit, { orderId }) => void Object.assign(visit, { orderId }),
  },
  pay: { call: (visit) => ({ method: 'POST', path: `/purchase/pay/${businessId}/${visit.orderId}`, json: {} }) },
  'read the order': { call: (visit) => ({ method: 'GET', path: `/purchase/orders/${businessId}/${visit.orderId}` }) },
});
