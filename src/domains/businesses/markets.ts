import type { Versioned } from '../../context/index.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { getBusiness } from './get-business.ts';
import type { Market } from './schemas.ts';

/** Lists markets in stored order. A page continues after the last market or, if that was deleted, at its old index. */
export async function listMarkets(ctx: Query, query: PageQuery): Promise<Page<Market>> {
  const { configs } = await getBusiness(ctx, ctx.businessId);
  const markets = (configs.markets ?? []).map((market, index) => ({ market, index }));
  const scope = `markets:${ctx.businessId}`;
  const limit = pageLimit(query.limit);
  const [id, previousIndex] = ctx.cursors.decode(scope, query.cursor) ?? [];
  const last = markets.findIndex(({ market }) => market.id === id);
  const start = last === -1 ? Number(previousIndex ?? 0) : last + 1;
  return ctx.cursors.page(
    scope,
    markets.slice(start, start + limit + 1),
    limit,
    ({ market, index }) => [market.id, index],
    ({ market }) => market,
  );
}

/** Market codes are case-insensitive. A market has the version of its business. */
export async function readMarket(ctx: Query, marketId: string): Promise<Versioned<Market>> {
  const { configs, version } = await getBusiness(ctx, ctx.businessId);
  const record = configs.markets?.find(({ id }) => id.toLowerCase() === marketId.toLowerCase());
  if (!record) throw notFound('Market');
  return { record, version };
}
