import { type Page, pageLimit } from '../../../shared/paging.ts';
import type { Query } from '../context.ts';
import { listSessionRows } from './queries.ts';
import type { Session } from './schemas.ts';

/** Lists the caller's sessions, newest first. */
export async function listSessions(
  { db, cursors, caller, now }: Query,
  query: { limit?: number; cursor?: string },
): Promise<Page<Session>> {
  const scope = `sessions:${caller.userId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await listSessionRows(db, caller.userId, now, after as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...row, current: row.id === caller.sessionId }),
  );
}
