import { type Page, pageLimit } from '../../../shared/paging.ts';
import type { Query } from '../context.ts';
import { listDeliveries as listRows } from './delivery-queries.ts';
import { getSendView, type SendPath } from './read-send.ts';
import { type Delivery, type DeliveryQuery, deliveryOf } from './schemas.ts';

/** The recipients of a send, sorted by subscription ID. */
export async function listDeliveries(ctx: Query, query: DeliveryQuery & SendPath): Promise<Page<Delivery>> {
  const { replica, cursors } = ctx;
  const send = await getSendView(ctx, query);
  const limit = pageLimit(query.limit);
  const scope = `deliveries:${send.id}`;
  const [after] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listRows(replica, send, query.status, after as string | null, limit);
  return cursors.page(scope, rows, limit, (row) => [row.subscriptionId], deliveryOf);
}
