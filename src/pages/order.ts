import Type from 'typebox';
import { type OrderView, showOrder } from '../domains/orders/index.ts';
import { query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { dayOf } from '../shared/day.ts';
import { ServiceError } from '../shared/errors.ts';
import { formatMoney } from '../shared/money.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 300 }) });

const STATUS: Record<string, string> = {
  PENDING: 'Order placed',
  PROCESSING: 'Processing',
  SHIPPED: 'Shipped',
  DELIVERED: 'Delivered',
  CANCELLED: 'Canceled',
  REFUNDED: 'Refunded',
};
const PAYMENT: Record<string, string> = {
  PENDING: 'Not paid yet',
  PAID: 'Paid',
  FAILED: 'Payment failed',
  PARTIALLY_REFUNDED: 'Partially refunded',
  REFUNDED: 'Refunded',
};

/** An order, opened by the link in its emails. */
export function orderPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/order/:token', { config: { access: 'public' }, schema: { params: Params } }, async (request, reply) => {
      const view = await query(request, showOrder, request.params.token);
      if (!view) throw new ServiceError('NOT_FOUND', 'This link is invalid. Use the link in your latest order email.');
      return sendPage(reply, `Order #${view.number}`, body(view));
    });
  });
}

function body(view: OrderView): Html {
  const { businessName, number, status, paymentStatus, createdAt, lines, display, currency, refunded } = view;
  const { taxIncluded, tax, subtotal, shipping, discount, total } = display;
  const money = (minor: number) => formatMoney(minor, currency);
  const row = (name: string, amount: number) => html`<tr><td>${name}</td><td class="amount">${money(amount)}</td></tr>`;
  return html`<h1>Order #${number}</h1>
<p class="quiet">${businessName}, ${dayOf(createdAt)}</p>
<p><strong>${STATUS[status] ?? status}</strong> · ${PAYMENT[paymentStatus] ?? paymentStatus}</p>
${tracking(view)}
<table><tbody>${lines.map(({ name, quantity, totalPrice }) =>
    row(quantity === 1 ? name : `${quantity} × ${name}`, totalPrice),
  )}
${row('Subtotal', subtotal)}${discount > 0 ? row('Discount', -discount) : null}${row('Shipping', shipping)}
${taxIncluded ? null : row('Tax', tax)}</tbody>
<tfoot><tr><th scope="row">Total</th><td class="amount">${money(total)}</td></tr>
${refunded > 0 ? row('Refunded', -refunded) : null}</tfoot></table>
${taxIncluded && tax > 0 ? html`<p class="quiet small">Includes ${money(tax)} VAT</p>` : null}`;
}

function tracking({ tracking: { carrier, number, url } = {} }: OrderView): Html | null {
  const text = [carrier, number].filter(Boolean).join(' ') || url;
  if (!text) return null;
  return html`<p>Tracking: ${url ? html`<a href="${url}">${text}</a>` : text}</p>`;
}
