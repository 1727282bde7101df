import { isSoukError, type Order } from '@souk/client';
import { formatsOf, OrderHead, OrderLines, OrderSummary } from '../account/order-view.tsx';
import { findCart, keepCart } from '../cart/cart.ts';
import { productsOf, type Shown } from '../cart/products.ts';
import type { Formats } from '../checkout/address-lines.ts';
import { MISSING, page } from '../page.ts';

type Data = { order: Order; products: Record<string, Shown>; formats: Formats };

/** The page that customers return to after the payment. */
export default page<Data>({
  path: '/thanks',
  personal: true,
  async load(visit) {
    const { query, souk, site } = visit;
    const id = query.get('order');
    if (!id) {
      const cart = await findCart(visit);
      if (!cart?.orderId) return { redirect: cart ? '/cart' : '/', status: 303 };
      keepCart(visit, null);
      return { redirect: `/thanks?order=${cart.orderId}`, status: 303 };
    }
    const order = await souk.orders.get(id).catch((error) => {
      if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHENTICATED')) return null;
      throw error;
    });
    if (!order) return MISSING;
    const [products, formats] = await Promise.all([productsOf(souk, order.lines), formatsOf(visit, order)]);
    return {
      data: { order, products, formats },
      head: { title: site.texts.order.thanks, noindex: true },
    };
  },
  View: ({ data: { order, products, formats }, site }) => (
    <main id="main" class="with-summary">
      <div>
        <OrderHead order={order} isNew />
        <OrderLines order={order} products={products} />
      </div>
      <OrderSummary order={order} site={site} formats={formats} />
    </main>
  ),
});
