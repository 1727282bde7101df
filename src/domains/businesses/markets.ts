import type { Versioned } from '../../context/index.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { getBusiness } from './get-business.ts';
import type { Market } from './schemas.ts';

/** In the order that the business has them in. A page goes on behind the last market, or where that was when it is gone. */
export async function listMarkets(ctx: Query, query: PageQuery): Promise<Page<Market>> {
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const markets = (configs.markets ?? []).map((market, index) => ({ market, index }));
  const scope = `markets:${ctx.businessId}`;
  const limit = pageLimit(query.limit);
  const [id, formerIndex] = ctx.cursors.decode(scope, query.cursor) ?? [];
  const last = markets.findIndex(({ market }) => market.id === id);
  const begin = last === -1 ? Number(formerIndex ?? 0) : last + 1;
  return ctx.cursors.page(
    scope,
    markets.slice(begin, begin + limit + 1),
    limit,
    ({ market, index }) => [market.id, index],
    ({ market }) => market,
  );
}

/** Market codes compare without case. A market has the version of its business. */
export async function readMarket(ctx: Query, marketId: string): Promise<Versioned<Market>> {
  const { configs, version } = await getBusiness(ctx, ctx.businessId);
  const record = configs.markets?.find(({ id }) => id.toLowerCase() === marketId.toLowerCase());
  if (!record) throw notFound('Market');
  return { record, version };
}
