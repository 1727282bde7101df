import { type Page, pageLimit } from '../../../shared/paging.ts';
import { showPrice } from '../../pricing/index.ts';
import type { Query } from '../context.ts';
import { type AbandonedRow, listAbandoned } from './queries.ts';
import type { AbandonedCheckout, AbandonedQuery } from './schemas.ts';

/** Orders that customers started to pay for online but never paid. */
export async function readAbandoned(ctx: Query, query: AbandonedQuery): Promise<Page<AbandonedCheckout>> {
  const { replica, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const scope = `abandoned:${businessId}`;
  const after = cursors.decode(scope, query.cursor) as [number, number] | null;
  const { createdFrom, createdTo } = query;
  const rows = await listAbandoned(replica, businessId, { createdFrom, createdTo, after, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    ({ createdAt, number }) => [createdAt, number],
    view,
    (row) => row.docBytes,
  );
}

function view(row: AbandonedRow): AbandonedCheckout {
  const { id, number, customerId, customerEmail, paymentStatus, doc, createdAt, laterId, laterNumber } = row;
  const end = doc.statuses.at(-1)!;
  return {
    orderId: id,
    number,
    customerId,
    email: customerEmail,
    name: (doc.shippingAddress ?? doc.billingAddress)?.name || null,
    items: showPrice(doc).lines.map(({ name, variantName, quantity }) => ({ name, variantName, quantity })),
    total: doc.total,
    currency: doc.currency,
    paymentStatus: paymentStatus as AbandonedCheckout['paymentStatus'],
    createdAt,
    abandonedAt: end.timestamp,
    reason: end.changedBy === 'SYSTEM' ? 'EXPIRED' : 'CANCELED',
    boughtLater: laterId === null ? null : { orderId: laterId, number: laterNumber! },
  };
}
