import type { Command, Query } from '../../context/index.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import { keptId } from '../../shared/ids.ts';
import { addTotal, type Page, pageLimit } from '../../shared/paging.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import { normalizePath, normalizeTarget, splitLocale } from './paths.ts';
import {
  countRedirects,
  deleteRedirectRow,
  deleteRedirectsFrom,
  findRedirectFrom,
  insertRedirect,
  listRedirectRows,
  lockRedirects,
  type RedirectRow,
  retarget,
} from './queries.ts';
import type { Redirect, RedirectInput, RedirectQuery } from './schemas.ts';

export const viewRedirect = ({ id, fromPath, toPath, isAutomatic, createdAt }: RedirectRow): Redirect => ({
  id,
  from: fromPath,
  to: toPath,
  status: 301,
  isAutomatic,
  createdAt,
});

/** The new path of an old path, or null. A page without a slug in its language uses the redirects of the default language. */
export async function findRedirect(
  { db, businessId }: Pick<Query, 'db' | 'businessId'>,
  path: string,
): Promise<{ to: string; status: 301 } | null> {
  const from = normalizePath(path);
  const row = await findRedirectFrom(db, businessId, from);
  if (row) return { to: row.toPath, status: 301 };
  const { locale, rest } = splitLocale(from);
  const other = locale && (await findRedirectFrom(db, businessId, rest));
  return other ? { to: other.toPath.startsWith('/') ? `/${locale}${other.toPath}` : other.toPath, status: 301 } : null;
}

/** `id`: the original ID, set by imports. */
export async function createRedirect(
  ctx: Command,
  input: RedirectInput & { id?: string | undefined },
): Promise<Redirect> {
  const { db: tx, businessId } = ctx;
  await lockRedirects(tx, businessId);
  const from = normalizePath(input.from);
  const target = normalizeTarget(input.to);
  const to = (await findRedirectFrom(tx, businessId, target))?.toPath ?? target;
  if (from === to) throw invalidField('to', 'INVALID_VALUE', '`to` leads back to `from`. Choose another target.');
  if (await findRedirectFrom(tx, businessId, from))
    throw invalidField('from', 'DUPLICATE', '`from` already has a redirect. Delete it first.');
  return add(ctx, { from, to, isAutomatic: false, id: input.id });
}

/** A path that already has a redirect keeps it. */
export async function importRedirect(
  ctx: Command,
  input: RedirectInput & { id?: string | undefined },
): Promise<{ result: 'CREATED' | 'UNCHANGED'; id: string }> {
  const known = await findRedirectFrom(ctx.db, ctx.businessId, normalizePath(input.from));
  if (known) return { result: 'UNCHANGED', id: known.id };
  return { result: 'CREATED', id: (await createRedirect(ctx, input)).id };
}

/**
 * Redirects pages to their new paths, after their slugs changed. If a new path was an old path before, its redirect is deleted. Call it
 * last in a transaction, because it locks all redirects of the business.
 */
export async function redirectPages(ctx: Command, moves: readonly { from: string; to: string }[]): Promise<void> {
  const changed = moves
    .map(({ from, to }) => ({ from: normalizePath(from), to: normalizePath(to) }))
    .filter(({ from, to }) => from !== to);
  if (changed.length === 0) return;
  const { db: tx, businessId } = ctx;
  await lockRedirects(tx, businessId);
  const paths = changed.flatMap(({ from, to }) => [from, to]);
  for (const row of await deleteRedirectsFrom(tx, businessId, paths)) emitDeleted(ctx, row);
  for (const move of changed) await add(ctx, { ...move, isAutomatic: true });
}

type NewRedirect = { from: string; to: string; isAutomatic: boolean; id?: string | undefined };

async function add(ctx: Command, { from, to, isAutomatic, id }: NewRedirect): Promise<Redirect> {
  const { db: tx, businessId, now: createdAt } = ctx;
  const row = { id: keptId('rdr', id), fromPath: from, toPath: to, isAutomatic, createdAt };
  await retarget(tx, businessId, from, to);
  await insertRedirect(tx, businessId, row);
  const data = viewRedirect(row);
  ctx.emit({ type: 'redirect.created', entity: `redirect:${row.id}`, data });
  return data;
}

const emitDeleted = (ctx: Command, row: RedirectRow) =>
  ctx.emit({ type: 'redirect.deleted', entity: `redirect:${row.id}`, data: viewRedirect(row) });

export async function deleteRedirect(ctx: Command, id: string): Promise<typeof SUCCESS> {
  const row = await deleteRedirectRow(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Redirect');
  emitDeleted(ctx, row);
  return SUCCESS;
}

export async function listRedirects(
  { replica: db, businessId, cursors }: Query,
  { query, cursor, count, limit: sent }: RedirectQuery,
): Promise<Page<Redirect>> {
  const limit = pageLimit(sent);
  const scope = `redirects:${businessId}`;
  const [after = null] = (cursors.decode(scope, cursor) ?? []) as string[];
  const rows = await listRedirectRows(db, businessId, { query, after, limit: limit + 1 });
  const page = cursors.page(scope, rows, limit, ({ id }) => [id], viewRedirect);
  return addTotal(page, { ...(count === undefined ? {} : { count }) }, () => countRedirects(db, businessId, query));
}
