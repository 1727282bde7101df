import type { Db } from '../../../db/sql.ts';
import { forbidden } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { adminOf, getBusiness } from '../../businesses/index.ts';
import type { Query } from '../context.ts';
import { searchUserRows, type UserIds } from './queries.ts';
import type { SearchQuery, SeenUser } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** A subquery for people that another domain links to these businesses, such as customers or subscribers. */
export type FindRelatedUsers = (db: Db, businessIds: string[]) => UserIds;

/** Searches the people of the given business, or of every business where the caller is ADMIN. */
export async function searchUsers(ctx: Query, query: SearchQuery): Promise<Page<SeenUser>> {
  const { db, cursors, caller } = ctx;
  if (query.businessId !== undefined) await getBusiness(ctx, query.businessId);
  const mine = adminOf(caller);
  const businessIds = query.businessId === undefined ? mine : mine.filter((id) => id === query.businessId);
  if (businessIds.length === 0) {
    const where = query.businessId === undefined ? 'at least one business' : 'this business';
    throw forbidden(`This requires the ADMIN permission in ${where}.`);
  }
  const scope = `users:newest:${query.businessId ?? caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await searchUserRows(db, {
    businessIds,
    relatedUsers: ctx.accounts.relatedUsers.map((find) => find(db, businessIds)),
    roleIds: query.roleIds ?? [],
    text: query.query?.trim() || null,
    after: after as string | null,
    limit: limit + 1,
  });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    toUserSeenBy,
    (row) => JSON.stringify(row).length,
  );
}
