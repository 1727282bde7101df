import type { Versioned } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { conflict, type FieldError, forbidden, invalid, notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { newId } from '../../shared/ids.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Command, PublishingServices, Query } from './context.ts';
import type { RecordKind } from './kinds.ts';
import {
  findRelease,
  insertRelease,
  type ListedReleaseRow,
  listReleaseRows,
  lockRelease,
  type ReleaseRow,
  updateRelease,
} from './release-queries.ts';
import { plan } from './schedule.ts';
import type { ListedRelease, Release, ReleaseChanges, ReleaseInput, ReleaseQuery } from './schemas.ts';

const idOf = (item: string) => item.slice(item.indexOf(':') + 1);

const viewListed = ({ version: _, failure, ...row }: ListedReleaseRow) => ({
  ...row,
  failure: failure === null ? null : JSON.parse(failure),
});

export function viewRelease({ items, ...row }: ReleaseRow): Release {
  return { ...viewListed({ ...row, itemCount: items.length }), items: items.map(idOf) };
}

/** Whoever may publish something sees the releases; what a release holds they must all be allowed to publish. */
export async function listReleases(ctx: Query, query: ReleaseQuery): Promise<Page<ListedRelease>> {
  checkStaff(ctx);
  const { db, businessId, cursors } = ctx;
  const scope = `releases:${businessId}`;
  const limit = pageLimit(query.limit);
  const after = cursors.decode(scope, query.cursor) as [number, string] | null;
  const rows = await listReleaseRows(db, businessId, { ...query, after, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => ({ ...viewListed(row), etag: etagOf(row.version) }),
  );
}

export async function readRelease(ctx: Query, id: string): Promise<Versioned<Release>> {
  checkStaff(ctx);
  const row = await findRelease(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Release');
  return { record: viewRelease(row), version: row.version };
}

export async function createRelease(ctx: Command, { name, at, items }: ReleaseInput): Promise<Release> {
  checkStaff(ctx);
  const { businessId, now } = ctx;
  const row: ReleaseRow = {
    ...{ businessId, id: newId('rel'), name, status: 'SCHEDULED', at: Math.max(at ?? now, now) },
    ...{ items: await namedItems(ctx, items), userId: ctx.caller.userId, failure: null, publishedAt: null },
    ...{ version: 1, createdAt: now, updatedAt: now },
  };
  await insertRelease(ctx.db, row);
  await plan(ctx, entityOf(row), row.at);
  const record = viewRelease(row);
  await ctx.emit({ type: 'release.created', entity: entityOf(row), data: record });
  return record;
}

/** One that failed is tried again, at its new time or at once. */
export async function changeRelease(
  ctx: Command,
  { id, changes }: { id: string; changes: ReleaseChanges },
): Promise<Versioned<Release>> {
  const before = await lockOpen(ctx, id);
  const { name = before.name, at = before.at } = changes;
  const items = changes.items ? await namedItems(ctx, changes.items) : before.items;
  const hasFailed = before.status === 'FAILED';
  const isPlanned = hasFailed || at !== before.at;
  const row: ReleaseRow = {
    ...{ ...before, name, items, status: 'SCHEDULED', failure: null, updatedAt: ctx.now },
    at: isPlanned ? Math.max(at, ctx.now) : at,
  };
  await updateRelease(ctx.db, row);
  if (isPlanned) await plan(ctx, entityOf(row), row.at);
  const [data, was] = [viewRelease(row), viewRelease(before)];
  await ctx.emit({ type: 'release.updated', entity: entityOf(row), data, before: was });
  return { record: data, version: row.version + 1 };
}

export async function cancelRelease(ctx: Command, id: string): Promise<Versioned<Release>> {
  const before = await lockOpen(ctx, id);
  const row: ReleaseRow = { ...before, status: 'CANCELLED', updatedAt: ctx.now };
  await updateRelease(ctx.db, row);
  await plan(ctx, entityOf(row), null);
  const record = viewRelease(row);
  await ctx.emit({ type: 'release.cancelled', entity: entityOf(row), data: record, before: viewRelease(before) });
  return { record, version: row.version + 1 };
}

async function lockOpen(ctx: Command, id: string): Promise<ReleaseRow> {
  checkStaff(ctx);
  const row = await lockRelease(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Release');
  ctx.checkVersion(row.version);
  checkMayPublish(ctx, ctx.publishing.kindsIn(row.items));
  if (row.status !== 'SCHEDULED' && row.status !== 'FAILED')
    throw conflict(`The release is ${row.status} and can no longer be changed. Make a new one.`);
  return row;
}

export const entityOf = ({ id }: { id: string }) => `release:${id}` as const;

type Reader = PublishingServices & { caller: Caller; businessId: string };

function checkStaff({ caller, businessId, publishing }: Reader): void {
  const permissions = publishing.recordKinds().map(({ permission }) => permission);
  if (permissions.some((permission) => may(caller, businessId, permission))) return;
  throw forbidden(`This needs the permission ${[...new Set(permissions)].join(' or ')} in this business.`);
}

function checkMayPublish({ caller, businessId }: Reader, kinds: Iterable<RecordKind>): void {
  for (const { permission } of kinds) {
    if (!may(caller, businessId, permission))
      throw forbidden(`This needs the permission ${permission} in this business.`);
  }
}

/** The items by name, in the order in which they will be locked. Raises 422 for each that is named twice or not there. */
async function namedItems(ctx: Command, ids: readonly string[]): Promise<string[]> {
  const { db, businessId, publishing } = ctx;
  const errors: FieldError[] = [];
  const byKind = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [i, id] of ids.entries()) {
    const kind = publishing.kindOfId(id);
    if (seen.has(id)) errors.push({ field: `items[${i}]`, error: 'DUPLICATE', message: `items[${i}] is named twice.` });
    else if (kind === null) errors.push(unknown(i));
    else byKind.set(kind, [...(byKind.get(kind) ?? []), id]);
    seen.add(id);
  }
  checkMayPublish(ctx, [...byKind.keys()].map(publishing.recordKind));
  for (const [kind, named] of byKind) {
    const existing = new Set(await publishing.recordKind(kind).existing(db as Db, businessId, named));
    for (const id of named) if (!existing.has(id)) errors.push(unknown(ids.indexOf(id)));
  }
  if (errors.length > 0) throw invalid(errors);
  return [...byKind].flatMap(([kind, named]) => named.map((id) => `${kind}:${id}`)).sort();
}

const unknown = (i: number): FieldError => ({
  field: `items[${i}]`,
  error: 'NOT_FOUND',
  message: `items[${i}] names no entry, product or collection of this business.`,
});
