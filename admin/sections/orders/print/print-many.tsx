/** The packing slips or invoices of several orders, each on its own page: `/orders/print?document=invoice&ids=…`. */
import type { Order } from '@souk/client';
import { useLoad } from '../../../parts/load.ts';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { query } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { invoiceBody } from './invoice.tsx';
import { SlipBody } from './packing-slip.tsx';
import { Paper, PrintFrame } from './print.tsx';

/** Concurrent requests. */
const AT_ONCE = 8;

export default function PrintMany() {
  const isInvoice = query.value.get('document') === 'invoice';
  const ids = (query.value.get('ids') ?? '').split(',').filter(Boolean);
  const { data: orders, error, reload } = useLoad(`print ${ids.join(' ')}`, (signal) => loadAll(ids, signal));
  const title = t(isInvoice ? 'orders.invoice' : 'orders.packingSlip');
  return (
    <PrintFrame title={t(isInvoice ? 'orders.invoicesOf' : 'orders.slipsOf', { count: ids.length })} back="/orders">
      <Problem error={error} retry={reload} />
      {!orders && !error && <SkeletonRows />}
      {orders?.map((order) => (
        <Paper
          key={order.id}
          order={order}
          title={title}
          isInvoice={isInvoice}
          body={isInvoice ? invoiceBody : (each, products) => <SlipBody order={each} products={products} />}
        />
      ))}
    </PrintFrame>
  );
}

async function loadAll(ids: readonly string[], signal: AbortSignal): Promise<Order[]> {
  const orders: Order[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = ids.slice(from, from + AT_ONCE);
    orders.push(...(await Promise.all(part.map((id) => souk.orders.get(id, { signal })))));
  }
  return orders;
}
