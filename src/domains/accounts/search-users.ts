import type { Db } from '../../db/connection.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { forbidden } from '../../shared/errors.ts';
import { type Cursors, type Page, pageLimit } from '../../shared/paging.ts';
import type { User } from './schemas.ts';
import { searchUserRows, type UserIds } from './user-queries.ts';
import { toUserSeenBy } from './users.ts';

/** People of these businesses that another domain knows of: customers, subscribers. */
export type Tie = (db: Db, businessIds: string[]) => UserIds;

export type SearchInput = {
  query?: string;
  businessId?: string;
  roleIds?: string[];
  limit?: number;
  cursor?: string;
};

/** People tied to the business; without one, to any that the caller is ADMIN of. */
export async function searchUsers(
  { db, cursors, ties }: { db: Db; cursors: Cursors; ties: readonly Tie[] },
  caller: Caller,
  input: SearchInput,
): Promise<Page<User>> {
  const mine = [...caller.permissions.keys()].filter((id) => may(caller, id, 'ADMIN'));
  const businessIds = input.businessId === undefined ? mine : mine.filter((id) => id === input.businessId);
  if (businessIds.length === 0) throw forbidden('This needs the permission ADMIN.');
  const scope = 'users:newest';
  const limit = pageLimit(input.limit);
  const [after = null] = cursors.decode(scope, input.cursor) ?? [];
  const rows = await searchUserRows(db, {
    businessIds,
    ties: ties.map((tie) => tie(db, businessIds)),
    roleIds: input.roleIds ?? [],
    text: input.query?.trim() || null,
    after: after as string | null,
    limit: limit + 1,
  });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => toUserSeenBy(row, businessIds),
  );
}
