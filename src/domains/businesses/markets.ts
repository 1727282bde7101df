import type { Versioned } from '../../context/index.ts';
import { notFound } from '../../shared/errors.ts';
import type { Page } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { getBusiness } from './get-business.ts';
import type { Market } from './schemas.ts';

/** All of them at once. */
export async function listMarkets(ctx: Query): Promise<Page<Market>> {
  const { configs } = await getBusiness(ctx, ctx.businessId);
  return { items: configs.markets ?? [], cursor: null };
}

/** Market codes compare without case. A market has the version of its business. */
export async function readMarket(ctx: Query, marketId: string): Promise<Versioned<Market>> {
  const { configs, version } = await getBusiness(ctx, ctx.businessId);
  const record = configs.markets?.find(({ id }) => id.toLowerCase() === marketId.toLowerCase());
  if (!record) throw notFound('Market');
  return { record, version };
}
