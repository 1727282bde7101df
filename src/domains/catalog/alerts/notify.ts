import type { Command } from '../context.ts';
import { listProductsWithAlerts } from './queries.ts';

export const SEND_ALERTS = 'stock-alerts';

/** After the commit, emails the people who are waiting for these products, if they are in stock by then. */
export async function notifyWaiting(
  ctx: Pick<Command, 'db' | 'businessId' | 'enqueue'>,
  productIds: readonly string[],
): Promise<void> {
  for (const productId of await listProductsWithAlerts(ctx.db, ctx.businessId, [...new Set(productIds)]))
    await ctx.enqueue(SEND_ALERTS, { productId }, { key: productId });
}
