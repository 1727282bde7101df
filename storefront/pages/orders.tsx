import { isSoukError, type Order, type Product } from '@souk/client';
import { useEffect } from 'preact/hooks';
import { emptyBasket } from '../basket.ts';
import { readPending } from '../checkout.ts';
import { useList, useLoad } from '../load.ts';
import { Empty, More, Problem, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, money, pictureOf, souk } from '../shop.ts';
import { SumRows } from './basket.tsx';

const WORDS: Record<string, string> = {
  PENDING: 'Waiting for payment',
  PROCESSING: 'Being packed',
  SHIPPED: 'On its way',
  DELIVERED: 'Delivered',
  COMPLETED: 'Done',
  CANCELLED: 'Cancelled',
  PAID: 'Paid',
  FAILED: 'Payment failed',
  REFUNDED: 'Paid back',
  PARTIALLY_REFUNDED: 'Partly paid back',
};
const wordFor = (status: string) => WORDS[status] ?? status.toLowerCase();
const stateOf = ({ statuses, paymentStatus, paymentMethod }: Order) => {
  const status = statuses.at(-1)?.status ?? 'PENDING';
  const payment = paymentStatus.at(-1)?.status ?? 'PENDING';
  if (status === 'PENDING' && paymentMethod === 'CASH') return 'Ordered';
  return wordFor(status === 'PROCESSING' && payment !== 'PAID' ? payment : status);
};
const dateOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'long' });
const timeOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

const ASK_AGAIN_MS = 2000;

/** Where the payment page leads back to: the order that was paid for. */
export function ThanksPage() {
  useEffect(() => {
    const pending = readPending();
    emptyBasket();
    navigate(pending ? `/shop/orders/${pending.orderId}?thanks` : '/shop/orders', { replace: true });
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
  const isWaiting = data?.order.paymentStatus.at(-1)?.status === 'PENDING' && data.order.paymentMethod !== 'CASH';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(reload, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN')) {
    return (
      <Empty
        title="This order is not yours to see"
        text="It is not among the orders of this browser. If you ordered with an account, log in."
        href={account.value ? '/shop/orders' : '/shop/login'}
        link={account.value ? 'My orders' : 'Log in'}
      />
    );
  }
  return (
    <main id="main" class={data ? 'with-summary' : ''}>
      {!data && <Title text={error ? 'Your order' : 'One moment'} />}
      {data ? <Details {...data} error={error} /> : <Problem error={error} retry={reload} />}
    </main>
  );
}

function Details({ order, products, error }: { order: Order; products: Product[]; error: unknown }) {
  const isPaid = order.paymentStatus.at(-1)?.status === 'PAID';
  const pending = readPending();
  const payAt =
    pending?.orderId === order.id && !isPaid && order.statuses.at(-1)?.status === 'PENDING' && pending.checkoutUrl;
  const goesTo = order.blocks.find(({ id }) => id === 'address')?.value;
  const thanks = address.value.searchParams.has('thanks');
  return (
    <>
      <div>
        <Title text={thanks ? 'Thank you!' : `Order ${order.number}`} />
        <p>
          {thanks && `Order ${order.number}, `}
          {dateOf(order.createdAt)}. <strong class="state">{stateOf(order)}</strong>
        </p>
        {thanks && order.email && <p>A mail with all of this is on its way to {order.email}.</p>}
        <Problem error={error} />
        {payAt && (
          <p>
            <a href={payAt} class="button">
              Pay now
            </a>
          </p>
        )}
        <ul class="basket">
          {order.lines.map(({ productId, variantId, quantity, totalPrice }) => {
            const product = products.find((each) => each.id === productId);
            const variant = product?.variants.find((each) => each.id === variantId);
            return (
              <li key={`${productId} ${variantId}`} class="sold">
                <img src={pictureOf(product)} alt="" width="96" height="96" />
                <div class="basket-name">
                  {product ? <a href={`/shop/products/${product.slug}`}>{product.name}</a> : 'No longer in the shop'}
                  <p class="quiet small">
                    {variant?.name && <bdi>{variant.name}, </bdi>}
                    {quantity === 1 ? '1 piece' : `${quantity} pieces`}
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
        {typeof goesTo === 'string' && (
          <>
            <h2>Where it goes</h2>
            <p>{goesTo}</p>
          </>
        )}
        <h2>What happened</h2>
        <Timeline order={order} />
      </aside>
    </>
  );
}

/** Both histories of an order, the newest last. */
function Timeline({ order: { statuses, paymentStatus } }: { order: Order }) {
  const [ordered, ...moves] = statuses;
  const payments = paymentStatus.filter(({ status }) => status !== 'PENDING');
  // In the second of a payment the order moves on because of it.
  const entries = [...payments, ...moves].sort((a, b) => a.timestamp - b.timestamp);
  return (
    <ol class="timeline">
      {ordered && <Moment text="Ordered" timestamp={ordered.timestamp} />}
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
          These are the orders of this browser. <a href="/shop/login">Log in</a> to see those of your account.
        </p>
      )}
      {orders?.length === 0 && (
        <p>
          No orders yet. <a href="/">Find something nice</a>.
        </p>
      )}
      <ul class="orders">
        {orders?.map((order) => (
          <li key={order.id}>
            <a href={`/shop/orders/${order.id}`}>Order {order.number}</a>
            <span class="quiet">{dateOf(order.createdAt)}</span>
            <strong class="state">{stateOf(order)}</strong>
            <span class="amount">{money(order.total, order.currency)}</span>
          </li>
        ))}
      </ul>
      {more && <More isBusy={isLoading} onMore={more} />}
    </main>
  );
}
