/** An order as its customer sees it. */
import type { Order } from '@souk/client';
import type { Shown } from '../cart/products.ts';
import { Totals } from '../cart/totals.tsx';
import { addressLines, type Formats } from '../checkout/address-lines.ts';
import { findFormats } from '../checkout/load.ts';
import { useSite } from '../island.tsx';
import type { Site, Visit } from '../page.ts';
import { Picture } from '../picture.tsx';
import { date, dateTime, fill, link, money } from '../site.ts';
import type { Texts } from '../texts/index.ts';
import { BankTransferDetails } from './bank-transfer.tsx';

export function statusOf({ statuses, fulfillment, bankTransfer }: Order, { orderStatus }: Texts): string {
  const status = statuses.at(-1)!.status;
  if (status === 'PENDING' && bankTransfer) return orderStatus.AWAITING_PAYMENT;
  const shown = status === 'PROCESSING' && fulfillment === 'PARTIAL' ? 'PARTLY_SHIPPED' : status;
  return (orderStatus as Record<string, string>)[shown] ?? status;
}

export function OrderLines({ order, products }: { order: Order; products: Record<string, Shown> }) {
  const site = useSite();
  const { cart: words } = site.texts;
  return (
    <ul class="cart">
      {order.lines.map(({ id, productId, name, variantName, quantity, totalPrice }) => (
        <li key={id} class="sold">
          <Picture media={products[productId]?.image ?? undefined} alt="" sizes="6rem" width={96} />
          <div class="cart-name">
            {products[productId] ? <a href={link(site, `/products/${products[productId].slug}`)}>{name}</a> : name}
            <p class="quiet small">
              {[variantName !== name && variantName, fill(words.quantity, { count: quantity })]
                .filter(Boolean)
                .join(', ')}
            </p>
          </div>
          <p class="amount">{money(totalPrice, order.currency, site)}</p>
        </li>
      ))}
    </ul>
  );
}

function deliveryOf({ shippingMethodId, pickupLocationId }: Order, { business }: Site) {
  const method = business.configs.shippingMethods?.find(({ id }) => id === shippingMethodId);
  return { method, location: method?.locations?.find(({ id }) => id === pickupLocationId) };
}

/** The formats of the addresses that the summary shows. */
export const formatsOf = (visit: Visit, order: Order): Promise<Formats> =>
  findFormats(visit, [order.shippingAddress, order.billingAddress, deliveryOf(order, visit.site).location?.address]);

export function OrderSummary({ order, site, formats }: { order: Order; site: Site; formats: Formats }) {
  const { order: words, cart } = site.texts;
  const { shippingAddress, billingAddress } = order;
  const { method, location } = deliveryOf(order, site);
  return (
    <aside class="summary" aria-label={cart.summary}>
      <Totals price={order} />
      <Shipments order={order} />
      {shippingAddress && <Address title={words.shippingAddress} address={shippingAddress} formats={formats} />}
      {location && (
        <Address
          title={words.pickupLocation}
          address={{ ...location.address, name: location.name }}
          formats={formats}
        />
      )}
      {method && (
        <>
          <h2>{words.shippingMethod}</h2>
          <p>{[method.name ?? method.id, method.etaText].filter(Boolean).join(', ')}</p>
        </>
      )}
      {billingAddress && <Address title={words.billingAddress} address={billingAddress} formats={formats} />}
      <h2>{words.history}</h2>
      <Timeline order={order} />
    </aside>
  );
}

export function OrderHead({ order, isNew }: { order: Order; isNew: boolean }) {
  const site = useSite();
  const { order: words } = site.texts;
  const number = fill(words.number, { number: order.number });
  return (
    <>
      <h1>{isNew ? words.thanks : number}</h1>
      <p>
        {isNew && `${number}, `}
        {date(order.createdAt, site)} <strong class="state">{statusOf(order, site.texts)}</strong>
      </p>
      {isNew && order.email && <p>{fill(words.mailed, { email: order.email })}</p>}
      {order.bankTransfer && <BankTransferDetails transfer={order.bankTransfer} received={order.received} />}
    </>
  );
}

/** Each shipment, with its items unless it contains the whole order. */
function Shipments({ order: { shipments, lines, fulfillment } }: { order: Order }) {
  const site = useSite();
  const { order: words } = site.texts;
  const isWhole = shipments.length === 1 && fulfillment === 'FULFILLED';
  if (shipments.length === 0) return null;
  return (
    <>
      <h2>{words.shipments}</h2>
      <ol class="shipments">
        {shipments.map(({ id, createdAt, lines: sent, tracking: { carrier, number, url } = {} }) => {
          const text = [carrier, number].filter(Boolean).join(' ') || url;
          return (
            <li key={id}>
              {date(createdAt, site)}
              {!isWhole && (
                <ul>
                  {sent.map(({ lineId, quantity }) => (
                    <li key={lineId}>
                      {quantity} × <bdi>{lines.find((line) => line.id === lineId)?.name}</bdi>
                    </li>
                  ))}
                </ul>
              )}
              {text && <p>{url ? <a href={url}>{text}</a> : text}</p>}
            </li>
          );
        })}
      </ol>
    </>
  );
}

type AddressProps = { title: string; address: Parameters<typeof addressLines>[0]; formats: Formats };

function Address({ title, address, formats }: AddressProps) {
  const { locale, texts } = useSite();
  const lines = [
    ...addressLines(address, locale, formats),
    ...(address.vatId ? [`${texts.checkout.vatId} ${address.vatId}`] : []),
  ];
  return (
    <>
      <h2>{title}</h2>
      <address>
        {lines.map((line, i) => (
          <div key={i}>
            <bdi>{line}</bdi>
          </div>
        ))}
      </address>
    </>
  );
}

/** The order's status and payment history, newest last. */
function Timeline({ order: { statuses, paymentStatus } }: { order: Order }) {
  const site = useSite();
  const { order: words, orderStatus } = site.texts;
  const [ordered, ...moves] = statuses;
  const payments = paymentStatus.filter(({ status }) => status !== 'PENDING');
  // A payment and the status change it causes have the same timestamp. The payment comes first.
  const entries = [...payments, ...moves].sort((a, b) => a.timestamp - b.timestamp);
  return (
    <ol class="timeline">
      {ordered && (
        <li>
          {words.placed} <time class="quiet small">{dateTime(ordered.timestamp, site)}</time>
        </li>
      )}
      {entries.map(({ id, status, timestamp }) => (
        <li key={id}>
          {(orderStatus as Record<string, string>)[status] ?? status}{' '}
          <time class="quiet small">{dateTime(timestamp, site)}</time>
        </li>
      ))}
    </ol>
  );
}
