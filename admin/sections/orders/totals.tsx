import type { Order, Quote, TaxLine } from '@souk/client';
import { money, percent, statusOf } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';

type ShownTotals = Order | Quote;

/** A market's own tax rate has no name. */
const hasName = ({ name }: TaxLine) => name !== 'Tax';

export function Totals({ order, refunded = 0 }: { order: ShownTotals; refunded?: number }) {
  const { display, taxBps, currency, promoCode, taxExempt } = order;
  const { taxIncluded, subtotal, discount, shipping, tax, total } = display;
  const taxLines = order.taxLines.filter(({ amount }) => amount > 0);
  const rows: [string, number][] = [[t('orders.subtotal'), subtotal]];
  if (discount > 0)
    rows.push([promoCode ? t('orders.discountWith', { code: promoCode }) : t('orders.discount'), -discount]);
  rows.push([t('orders.shipping'), shipping]);
  if (!taxIncluded && !taxExempt) {
    if (taxLines.length === 0) rows.push([t('orders.taxOf', { percent: percent(taxBps) }), tax]);
    for (const line of taxLines) rows.push([taxName(line), line.amount]);
  }
  return (
    <>
      <dl class="totals">
        {rows.map(([text, amount], i) => (
          <div key={i}>
            <dt>{text}</dt>
            <dd class="amount">{money(amount, currency)}</dd>
          </div>
        ))}
        <div class="total">
          <dt>{t('orders.total')}</dt>
          <dd class="amount">{money(total, currency)}</dd>
        </div>
        {paymentRows(order, refunded).map(([text, amount]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd class="amount">{money(amount, currency)}</dd>
          </div>
        ))}
      </dl>
      {((taxIncluded && taxLines.length > 0) || taxExempt) && (
        <p class="totals-note">
          {taxExempt && <span>{reverseChargeText(order)}</span>}
          {taxIncluded && taxLines.map((line, i) => <span key={i}>{includedText(line, currency)}</span>)}
        </p>
      )}
    </>
  );
}

/** The amounts paid with returned items, still due, applied to exchanges, and refunded. */
function paymentRows(order: ShownTotals, refunded: number): [string, number][] {
  const rows: [string, number][] = [];
  if ('exchange' in order && order.exchange) {
    const { total, statuses, paymentStatus, exchange } = order;
    const isOpen = statusOf(statuses) !== 'CANCELLED' && ['PENDING', 'FAILED'].includes(statusOf(paymentStatus));
    if (exchange.credit > 0) rows.push([t('orders.exchangeCredit'), -exchange.credit]);
    if (isOpen) rows.push([t('orders.amountDue'), total - exchange.credit]);
  }
  const { exchanged = 0 } = order as Partial<Order>;
  if (exchanged > 0) rows.push([t('orders.exchanged'), -exchanged]);
  if (refunded > exchanged) rows.push([t('orders.refundedSum'), exchanged - refunded]);
  return rows;
}

function taxName(line: TaxLine): string {
  const rate = { percent: percent(line.bps) };
  return hasName(line) ? t('taxes.lineOf', { name: line.name, ...rate }) : t('orders.taxOf', rate);
}

function includedText(line: TaxLine, currency: string): string {
  const values = { amount: money(line.amount, currency), percent: percent(line.bps) };
  return hasName(line) ? t('taxes.includedLine', { name: line.name, ...values }) : t('orders.taxIncluded', values);
}

function reverseChargeText({ billingAddress, shippingAddress }: ShownTotals): string {
  const vatId = billingAddress?.vatId ?? shippingAddress?.vatId;
  return vatId ? t('taxes.reverseChargeId', { vatId }) : t('taxes.reverseCharge');
}
