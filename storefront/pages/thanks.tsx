import { isSoukError, type Order } from '@souk/client';
import { OrderHead, OrderLines, OrderSummary } from '../account/order-view.tsx';
import { findCart, keepCart } from '../cart/cart.ts';
import { productsOf, type Shown } from '../cart/products.ts';
import { MISSING, page } from '../page.ts';

type Data = { order: Order; products: Record<string, Shown> };

/** Where customers return after the payment. */
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
    return {
      data: { order, products: await productsOf(souk, order.lines) },
      head: { title: site.texts.order.thanks, noindex: true },
    };
  },
  View: ({ data: { order, products }, site }) => (
    <main id="main" class="with-summary">
      <div>
        <OrderHead order={order} isNew />
        <OrderLines order={order} products={products} />
      </div>
      <OrderSummary order={order} site={site} />
    </main>
  ),
});
