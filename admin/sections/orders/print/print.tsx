/** Printable documents. They look the same on screen and print without the rest of the page. */
import type { Order } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { AddressLines } from '../../../parts/address-lines.tsx';
import { blockText } from '../../../parts/blocks/value.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { date } from '../../../parts/show.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { configs, type Products, pickupOf, useCustomer, useOrder, useProducts } from '../data.ts';

type PaperProps = {
  order: Order;
  title: string;
  /** An invoice shows the billing address. Other documents are packed with the goods and show the shipping address. */
  isInvoice?: boolean;
  body: (order: Order, products: Products) => ComponentChildren;
};

export function PrintPage({ id, title, ...paper }: Omit<PaperProps, 'order'> & { id: string }) {
  const { data: order, error, reload } = useOrder(id);
  return (
    <PrintFrame title={order ? `${title} #${order.number}` : title} back={`/orders/${id}`}>
      <Problem error={error} retry={reload} />
      {!order && !error && <SkeletonRows />}
      {order && <Paper order={order} title={title} {...paper} />}
    </PrintFrame>
  );
}

export const PrintFrame = (props: { title: string; back: string; children: ComponentChildren }) => (
  <PageFrame
    title={props.title}
    back={props.back}
    actions={
      <button type="button" onClick={() => print()}>
        {t('orders.print')}
      </button>
    }
  >
    {props.children}
  </PageFrame>
);

export function Paper({ order, title, isInvoice = false, body }: PaperProps) {
  const products = useProducts(order);
  return (
    <article class="paper">
      <PaperHead order={order} title={title} isInvoice={isInvoice} />
      {body(order, products)}
    </article>
  );
}

function PaperHead({ order, title, isInvoice }: { order: Order; title: string; isInvoice: boolean }) {
  const { profile } = configs();
  const address = profile?.address ?? {};
  return (
    <header>
      <div>
        <strong>{profile?.legalName || business.value?.name}</strong>
        <AddressLines address={address} />
        {profile?.taxId && `${t('orders.taxId')}: ${profile.taxId}`}
      </div>
      <div class="paper-title">
        <strong>{title}</strong>
        <br />
        {t('orders.numberOf', { number: order.number })}
        <br />
        {date(order.createdAt)}
      </div>
      <Recipient order={order} isInvoice={isInvoice} />
    </header>
  );
}

/** The addresses, or the order fields and the email if the order has no address. */
function Recipient({ order, isInvoice }: { order: Order; isInvoice: boolean }) {
  const customer = useCustomer(order.customerId);
  const { shippingAddress, billingAddress, blocks, email } = order;
  const pickup = pickupOf(order);
  const billing = billingAddress ?? shippingAddress;
  const goesTo = pickup ?? shippingAddress;
  const address = isInvoice ? billing : goesTo;
  const others = [...(address?.name ? [] : [customer?.name]), ...blocks.map(({ value }) => blockText(value)), email];
  return (
    <div class="paper-to">
      <div>
        <small>{t(isInvoice ? 'addresses.billTo' : pickup ? 'addresses.pickUpAt' : 'addresses.shipTo')}</small>
        {address && <AddressLines address={address} withContact />}
        {others.filter(Boolean).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
      {isInvoice && goesTo && (pickup || billingAddress) && (
        <div>
          <small>{t(pickup ? 'addresses.pickUpAt' : 'addresses.shipTo')}</small>
          <AddressLines address={goesTo} />
        </div>
      )}
    </div>
  );
}
