import type { Order } from '@souk/client';
import { money } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';
import { lineText } from './data.ts';
import { PrintPage } from './print.tsx';
import { percent, Sums } from './sums.tsx';

function refundedText({ paid, refunded, currency }: Order): string {
  const text = refunded >= paid ? 'orders.printRefunded' : 'orders.printPartlyRefunded';
  return t(text, { amount: money(refunded, currency) });
}

/** An order has one rate, so "tax by rate" is one row. */
export default function Invoice({ id }: { id: string }) {
  return (
    <PrintPage
      id={id}
      title={t('orders.invoice')}
      body={(order, products) => (
        <>
          {order.refunded > 0 && (
            <p>
              <strong>{refundedText(order)}</strong>
            </p>
          )}
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
                    <td class="number">{money(line.totalPrice, order.currency)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          <Sums order={order} refunded={order.refunded} />
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
              <tr>
                <td>{percent(order.taxBps)}</td>
                <td class="number">{money(order.total - order.tax, order.currency)}</td>
                <td class="number">{money(order.tax, order.currency)}</td>
                <td class="number">{money(order.total, order.currency)}</td>
              </tr>
            </tbody>
          </table>
        </>
      )}
    />
  );
}
