import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { findAccountErasure, findErasure, listErasureRows } from './queries.ts';
import { type AccountErasure, type Erasure, viewAccountErasure, viewErasure } from './schemas.ts';

export async function readErasure({ db, businessId }: Query, id: string): Promise<Erasure> {
  const row = await findErasure(db, businessId, id);
  if (!row) throw notFound('Erasure');
  return viewErasure(row);
}

/** Newest first. */
export async function listErasures({ db, businessId, cursors }: Query, query: PageQuery): Promise<Page<Erasure>> {
  const limit = pageLimit(query.limit);
  const scope = `erasures:${businessId}`;
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as string[];
  const rows = await listErasureRows(db, businessId, before, limit + 1);
  return cursors.page(scope, rows, limit, (row) => [row.id], viewErasure);
}

/** Public, because the user has no token after deleting the account. The ID can't be guessed and the report has no names. */
export async function readAccountErasure({ db }: Query, id: string): Promise<AccountErasure> {
  const row = await findAccountErasure(db, id);
  if (!row) throw notFound('Erasure');
  return viewAccountErasure(row);
}
