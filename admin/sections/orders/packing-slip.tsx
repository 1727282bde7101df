import { t } from '../../text/index.ts';
import { lineText } from './data.ts';
import { PrintPage } from './print.tsx';

export default function PackingSlip({ id }: { id: string }) {
  return (
    <PrintPage
      id={id}
      title={t('orders.packingSlip')}
      body={(order, products) => (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('orders.product')}</th>
              <th scope="col">{t('products.sku')}</th>
              <th scope="col" class="number">
                {t('orders.quantity')}
              </th>
            </tr>
          </thead>
          <tbody>
            {order.lines.map((line, i) => {
              const { name, variant, sku } = lineText(products, line);
              return (
                <tr key={`${line.variantId} ${i}`}>
                  <td>{[name, variant].filter(Boolean).join(', ')}</td>
                  <td>{sku}</td>
                  <td class="number">{line.quantity}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    />
  );
}
