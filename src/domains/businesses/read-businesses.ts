import type { Versioned } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import { etagOf } from '../../shared/records/etag.ts';
import { pickFields } from '../../shared/records/pick-fields.ts';
import { type Caller, isMember } from '../../shared/security/caller.ts';
import type { BusinessServices, Query } from './context.ts';
import { withNextNumber } from './invoicing.ts';
import { type BusinessRow, findBusiness, listBusinessRows } from './queries.ts';
import { type Business, type ListedBusiness, PublicBusiness } from './schemas.ts';

/** The business as the caller may see it. Members see masked secrets. */
export function showBusiness(
  { caller, businesses }: { caller: Caller } & BusinessServices,
  { version: _, ...row }: BusinessRow,
  toMember = isMember(caller, row.id),
): Business {
  if (!toMember) return pickFields<Business>(PublicBusiness, row);
  return { ...row, configs: businesses.vault.masked(row.id, row.configs) };
}

/** Reads from the database, not the cache, so that every node returns the latest write. */
export async function readBusiness(ctx: Query): Promise<Versioned<Business>> {
  const business = await findBusiness(ctx.db, ctx.businessId);
  if (!business) throw notFound('Business');
  return { record: await withCurrentNumber(ctx, showBusiness(ctx, business)), version: business.version };
}

export const withCurrentNumber = async ({ db }: { db: Db }, record: Business): Promise<Business> => ({
  ...record,
  configs: await withNextNumber(db, record.id, record.configs),
});

/**
 * Lists the caller's businesses. A business that withholds the caller's permissions until they add a second factor is shown as it
 * is to non-members. One that only assigned the caller a role is not theirs.
 */
export async function listBusinesses(ctx: Query, query: PageQuery): Promise<Page<ListedBusiness>> {
  const scope = `businesses:newest:${ctx.caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = ctx.cursors.decode(scope, query.cursor) ?? [];
  const { permissions, factors } = ctx.caller;
  const mine = [...new Set([...permissions.keys(), ...factors.requiredBy.keys()])];
  const rows = await listBusinessRows(
    ctx.db,
    { ids: mine, userId: ctx.caller.userId },
    after as string | null,
    limit + 1,
  );
  return ctx.cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    ({ bytes: _, ...row }) => ({ ...showBusiness(ctx, row), etag: etagOf(row.version) }),
    (row) => row.bytes,
  );
}
