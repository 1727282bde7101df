import type { Order } from '@souk/client';
import { money, percent } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';
import { lineText, type Products } from '../data.ts';
import { Totals } from '../totals.tsx';
import { PrintPage } from './print.tsx';

function refundedText({ paid, refunded, currency }: Order): string {
  const text = refunded >= paid ? 'orders.printRefunded' : 'orders.printPartlyRefunded';
  return t(text, { amount: money(refunded, currency) });
}

export default function Invoice({ id }: { id: string }) {
  return <PrintPage id={id} title={t('orders.invoice')} isInvoice body={invoiceBody} />;
}

export const invoiceBody = (order: Order, products: Products) => (
  <>
    {order.refunded > 0 && (
      <p>
        <strong>{refundedText(order)}</strong>
      </p>
    )}
    <Lines order={order} products={products} />
    <Totals order={order} refunded={order.refunded} />
    <TaxTable order={order} />
  </>
);

/** Each line shows its tax rate if the order has several. */
function Lines({ order, products }: { order: Order; products: Products }) {
  const hasRates = order.taxLines.length > 1;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('orders.product')}</th>
          <th scope="col" class="number">
            {t('orders.quantity')}
          </th>
          <th scope="col" class="number">
            {t('orders.price')}
          </th>
          {hasRates && (
            <th scope="col" class="number">
              {t('orders.taxRate')}
            </th>
          )}
          <th scope="col" class="number">
            {t('orders.total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {order.lines.map((line, i) => {
          const { name, variant } = lineText(products, line);
          return (
            <tr key={`${line.variantId} ${i}`}>
              <td>{[name, variant].filter(Boolean).join(', ')}</td>
              <td class="number">{line.quantity}</td>
              <td class="number">{money(line.unitPrice, order.currency)}</td>
              {hasRates && <td class="number">{percent(line.taxBps)}</td>}
              <td class="number">{money(line.totalPrice, order.currency)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The tax at each rate. An order without tax has one row. */
function TaxTable({ order }: { order: Order }) {
  const { taxBps, tax, total, currency } = order;
  const untaxed = { name: 'Tax', bps: taxBps, base: total - tax, amount: tax };
  const rows = order.taxLines.length > 0 ? order.taxLines : [untaxed];
  return (
    <table class="tax">
      <thead>
        <tr>
          <th scope="col">{t('orders.taxRate')}</th>
          <th scope="col" class="number">
            {t('orders.taxBase')}
          </th>
          <th scope="col" class="number">
            {t('orders.taxAmount')}
          </th>
          <th scope="col" class="number">
            {t('orders.sumGross')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, bps, base, amount }, i) => (
          <tr key={i}>
            <td>{name === 'Tax' ? percent(bps) : `${name} ${percent(bps)}`}</td>
            <td class="number">{money(base, currency)}</td>
            <td class="number">{money(amount, currency)}</td>
            <td class="number">{money(base + amount, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
