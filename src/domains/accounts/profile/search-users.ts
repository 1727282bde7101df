import type { Db } from '../../../db/sql.ts';
import { forbidden } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { adminOf, getBusiness } from '../../businesses/index.ts';
import type { Query } from '../context.ts';
import { searchUserRows, type UserIds } from './queries.ts';
import type { SearchQuery, SeenUser } from './schemas.ts';
import { toUserSeenBy } from './to-user.ts';

/** People of these businesses that another domain knows of: customers, subscribers. */
export type Tie = (db: Db, businessIds: string[]) => UserIds;

/** People tied to the business; without one, to any that the caller is ADMIN of. */
export async function searchUsers(ctx: Query, query: SearchQuery): Promise<Page<SeenUser>> {
  const { db, cursors, caller } = ctx;
  if (query.businessId !== undefined) await getBusiness(ctx, query.businessId);
  const mine = adminOf(caller);
  const businessIds = query.businessId === undefined ? mine : mine.filter((id) => id === query.businessId);
  if (businessIds.length === 0) throw forbidden('This needs the permission ADMIN.');
  const scope = `users:newest:${query.businessId ?? caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await searchUserRows(db, {
    businessIds,
    ties: ctx.accounts.ties.map((tie) => tie(db, businessIds)),
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
