import { isSoukError, type Order, type Product, type Tracking } from '@souk/client';
import { useEffect } from 'preact/hooks';
import { emptyCart } from '../cart.ts';
import { BankTransferDetails } from '../checkout/bank-transfer.tsx';
import { OrderDelivery } from '../checkout/order-delivery.tsx';
import { readPending } from '../checkout/place-order.ts';
import { useList, useLoad } from '../load.ts';
import { Empty, More, Problem, ProductImage, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, imageOf, money, souk } from '../shop.ts';
import { SumRows } from './cart.tsx';
import { OrderReturns } from './order-returns.tsx';

const WORDS: Record<string, string> = {
  PENDING: 'Awaiting payment',
  PROCESSING: 'Processing',
  SHIPPED: 'Shipped',
  DELIVERED: 'Delivered',
  COMPLETED: 'Completed',
  CANCELLED: 'Canceled',
  PAID: 'Paid',
  FAILED: 'Payment failed',
  REFUNDED: 'Refunded',
  PARTIALLY_REFUNDED: 'Partially refunded',
};
const wordFor = (status: string) => WORDS[status] ?? status.toLowerCase();
const statusOf = ({ statuses, paymentStatus, paymentMethod, fulfillment }: Order) => {
  const status = statuses.at(-1)?.status ?? 'PENDING';
  const payment = paymentStatus.at(-1)?.status ?? 'PENDING';
  if (status === 'PENDING' && paymentMethod === 'CASH') return 'Order placed';
  if (status === 'PROCESSING' && fulfillment === 'PARTIAL') return 'Partially shipped';
  return wordFor(status === 'PROCESSING' && payment !== 'PAID' ? payment : status);
};
const dateOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'long' });
const timeOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

const POLL_MS = 2000;

/** The payment page returns here, and this opens the order that was paid. */
export function ThanksPage() {
  useEffect(() => {
    const pending = readPending();
    emptyCart();
    navigate(pending?.orderId ? `/shop/orders/${pending.orderId}?thanks` : '/shop/orders', { replace: true });
  }, []);
  return <main id="main" />;
}

export function OrderPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    async (signal) => {
      const order = await souk.orders.get(id, { signal });
      const ids = order.lines.map(({ productId }) => productId);
      const products = await souk.products.list({ ids }, { signal }).take(ids.length);
      return { order, products };
    },
    [id],
  );
  const isWaiting =
    data?.order.paymentStatus.at(-1)?.status === 'PENDING' &&
    !['CASH', 'BANK_TRANSFER'].includes(data.order.paymentMethod ?? '');
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN')) {
    return (
      <Empty
        title="Order not found"
        text="This order wasn't placed in this browser. Open the link in your order email, or log in if you ordered with an account."
        href={account.value ? '/shop/orders' : '/shop/login'}
        link={account.value ? 'My orders' : 'Log in'}
      />
    );
  }
  return (
    <main id="main" class={data ? 'with-summary' : ''}>
      {!data && <Title text={error ? 'Your order' : 'Loading…'} />}
      {data ? <Details {...data} error={error} reload={reload} /> : <Problem error={error} retry={reload} />}
    </main>
  );
}

type DetailsProps = { order: Order; products: Product[]; error: unknown; reload: () => void };

function Details({ order, products, error, reload }: DetailsProps) {
  const isPaid = order.paymentStatus.at(-1)?.status === 'PAID';
  const pending = readPending();
  const payAt =
    pending?.orderId === order.id && !isPaid && order.statuses.at(-1)?.status === 'PENDING' && pending.checkoutUrl;
  const thanks = address.value.searchParams.has('thanks');
  return (
    <>
      <div>
        <Title text={thanks ? 'Thank you!' : `Order #${order.number}`} />
        <p>
          {thanks && `Order #${order.number}, `}
          {dateOf(order.createdAt)}. <strong class="state">{statusOf(order)}</strong>
        </p>
        {thanks && order.email && <p>We'll email your order confirmation to {order.email}.</p>}
        <Problem error={error} />
        {payAt && (
          <p>
            <a href={payAt} class="button">
              Pay now
            </a>
          </p>
        )}
        {order.bankTransfer && <BankTransferDetails transfer={order.bankTransfer} />}
        <ul class="cart">
          {order.lines.map(({ productId, variantId, quantity, totalPrice }) => {
            const product = products.find((each) => each.id === productId);
            const variant = product?.variants.find((each) => each.id === variantId);
            return (
              <li key={`${productId} ${variantId}`} class="sold">
                <ProductImage src={imageOf(product)} size={96} />
                <div class="cart-name">
                  {product ? (
                    <a href={`/shop/products/${product.slug}`}>{product.name}</a>
                  ) : (
                    'Product no longer available'
                  )}
                  <p class="quiet small">
                    {variant?.name && <bdi>{variant.name}, </bdi>}
                    Qty {quantity}
                  </p>
                </div>
                <p class="amount">{money(totalPrice, order.currency)}</p>
              </li>
            );
          })}
        </ul>
      </div>
      <aside class="summary" aria-label="Summary">
        <SumRows {...order} />
        <Shipments order={order} products={products} />
        <OrderDelivery order={order} />
        <OrderReturns order={order} reload={reload} />
        <h2>Order history</h2>
        <Timeline order={order} />
      </aside>
    </>
  );
}

/** With several shipments, or if items are left, each shipment lists its items. */
function Shipments({ order, products }: { order: Order; products: Product[] }) {
  const { shipments, fulfillment, tracking } = order;
  if (shipments.length === 0 || (shipments.length === 1 && fulfillment === 'FULFILLED')) {
    const text = tracking && trackingText(tracking);
    if (!text) return null;
    return (
      <>
        <h2>Tracking</h2>
        <p>
          <TrackingLink {...tracking} />
        </p>
      </>
    );
  }
  return (
    <>
      <h2>Shipments</h2>
      <ol class="shipments">
        {shipments.map(({ id, createdAt, lines, tracking }) => (
          <li key={id}>
            Shipped on {dateOf(createdAt)}
            <ul>
              {lines.map(({ lineId, quantity }) => (
                <li key={lineId}>
                  {quantity} × <bdi>{nameOf(order, products, lineId)}</bdi>
                </li>
              ))}
            </ul>
            {tracking && <TrackingLink {...tracking} />}
          </li>
        ))}
      </ol>
    </>
  );
}

function nameOf({ lines }: Order, products: Product[], lineId: string): string {
  const line = lines.find(({ id }) => id === lineId);
  const name = products.find(({ id }) => id === line?.productId)?.name ?? line?.name;
  return [name, line?.variantName].filter(Boolean).join(', ');
}

const trackingText = ({ carrier, number, url }: Tracking) => [carrier, number].filter(Boolean).join(' ') || url;

function TrackingLink(tracking: Tracking) {
  const text = trackingText(tracking);
  return tracking.url ? <a href={tracking.url}>{text}</a> : text;
}

/** The order's status and payment history, newest last. */
function Timeline({ order: { statuses, paymentStatus } }: { order: Order }) {
  const [ordered, ...moves] = statuses;
  const payments = paymentStatus.filter(({ status }) => status !== 'PENDING');
  // A payment and the status change it causes have the same timestamp. The payment comes first.
  const entries = [...payments, ...moves].sort((a, b) => a.timestamp - b.timestamp);
  return (
    <ol class="timeline">
      {ordered && <Moment text="Order placed" timestamp={ordered.timestamp} />}
      {entries.map(({ id, status, timestamp }) => (
        <Moment key={id} text={wordFor(status)} timestamp={timestamp} />
      ))}
    </ol>
  );
}

const Moment = ({ text, timestamp }: { text: string; timestamp: number }) => (
  <li>
    {text} <time class="quiet small">{timeOf(timestamp)}</time>
  </li>
);

export function OrdersPage() {
  const {
    data: orders,
    error,
    isLoading,
    reload,
    more,
  } = useList((signal, cursor) => souk.orders.list({ limit: 10 }, { signal }).page(cursor), [account.value?.userId]);
  return (
    <main id="main" class="narrow">
      <Title text="My orders" />
      <Problem error={error} retry={reload} />
      {account.value === null && (
        <p class="notice">
          These are the orders placed in this browser. <a href="/shop/login">Log in</a> to see all your orders.
        </p>
      )}
      {orders?.length === 0 && (
        <p>
          No orders yet. <a href="/">Start shopping</a>
        </p>
      )}
      <ul class="orders">
        {orders?.map((order) => (
          <li key={order.id}>
            <a href={`/shop/orders/${order.id}`}>Order #{order.number}</a>
            <span class="quiet">{dateOf(order.createdAt)}</span>
            <strong class="state">{statusOf(order)}</strong>
            <span class="amount">{money(order.total, order.currency)}</span>
          </li>
        ))}
      </ul>
      {more && <More isBusy={isLoading} onMore={more} />}
    </main>
  );
}
