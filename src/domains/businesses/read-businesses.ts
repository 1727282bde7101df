import type { Versioned } from '../../context/index.ts';
import { type Caller, isMember } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { BusinessServices, Query } from './context.ts';
import { type BusinessRow, findBusiness, listBusinessRows } from './queries.ts';
import type { Business, ListedBusiness } from './schemas.ts';

/** As the caller may see it: the payment provider's secrets masked for members, for all others not at all. */
export function showBusiness(
  { caller, businesses }: { caller: Caller } & BusinessServices,
  { version: _, ...row }: BusinessRow,
  toMember = isMember(caller, row.id),
): Business {
  return { ...row, configs: businesses.vault.shown(row.id, row.configs, toMember) };
}

/** From the database and not from memory: a read shows what was written last, on every node. */
export async function readBusiness(ctx: Query): Promise<Versioned<Business>> {
  const business = await findBusiness(ctx.db, ctx.businessId);
  if (!business) throw notFound('Business');
  return { record: showBusiness(ctx, business), version: business.version };
}

/** Those that the caller is a member of. */
export async function listBusinesses(ctx: Query, query: PageQuery): Promise<Page<ListedBusiness>> {
  const scope = `businesses:newest:${ctx.caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = ctx.cursors.decode(scope, query.cursor) ?? [];
  const mine = [...ctx.caller.permissions.keys()];
  const rows = await listBusinessRows(ctx.db, mine, after as string | null, limit + 1);
  return ctx.cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    ({ bytes: _, ...row }) => ({ ...showBusiness(ctx, row), etag: etagOf(row.version) }),
    (row) => row.bytes,
  );
}
