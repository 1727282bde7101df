import type { Versioned } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { conflict, type FieldError, forbidden, invalid, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { type Caller, may } from '../../../shared/security/caller.ts';
import type { Command, PublishingServices, Query } from '../context.ts';
import type { PublishableKind } from '../kinds.ts';
import { plan } from '../schedule.ts';
import type { ListedRelease, Release, ReleaseChanges, ReleaseInput, ReleaseQuery } from '../schemas.ts';
import {
  findRelease,
  insertRelease,
  type ListedReleaseRow,
  listReleaseRows,
  lockRelease,
  type ReleaseRow,
  updateRelease,
} from './release-queries.ts';

const idOf = (item: string) => item.slice(item.indexOf(':') + 1);

const viewListed = ({ version: _, ...row }: ListedReleaseRow) => row;

export function viewRelease({ items, ...row }: ReleaseRow): Release {
  return { ...viewListed({ ...row, itemCount: items.length }), items: items.map(idOf) };
}

/** Anyone with a publishing permission can see releases. Changing a release requires the permissions for all its items. */
export async function listReleases(ctx: Query, query: ReleaseQuery): Promise<Page<ListedRelease>> {
  requirePublisher(ctx);
  const { replica, businessId, cursors } = ctx;
  const scope = `releases:${businessId}`;
  const limit = pageLimit(query.limit);
  const after = cursors.decode(scope, query.cursor) as [number, string] | null;
  const rows = await listReleaseRows(replica, businessId, { ...query, after, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => ({ ...viewListed(row), etag: etagOf(row.version) }),
  );
}

export async function readRelease(ctx: Query, id: string): Promise<Versioned<Release>> {
  requirePublisher(ctx);
  const row = await findRelease(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Release');
  return { record: viewRelease(row), version: row.version };
}

export async function createRelease(ctx: Command, { name, at, items }: ReleaseInput): Promise<Release> {
  requirePublisher(ctx);
  const { businessId, now } = ctx;
  const row: ReleaseRow = {
    businessId,
    id: newId('rel'),
    name,
    status: 'SCHEDULED',
    at: Math.max(at ?? now, now),
    items: await resolveItems(ctx, items),
    userId: ctx.caller.userId,
    failure: null,
    publishedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertRelease(ctx.db, row);
  await plan(ctx, entityOf(row), row.at);
  const record = viewRelease(row);
  ctx.emit({ type: 'release.created', entity: entityOf(row), data: record });
  return record;
}

/** A failed release is retried, at its new time or immediately. */
export async function changeRelease(
  ctx: Command,
  { id, changes }: { id: string; changes: ReleaseChanges },
): Promise<Versioned<Release>> {
  const before = await lockOpen(ctx, id);
  const { name = before.name, at = before.at } = changes;
  const items = changes.items ? await resolveItems(ctx, changes.items) : before.items;
  const hasFailed = before.status === 'FAILED';
  const isPlanned = hasFailed || at !== before.at;
  const row: ReleaseRow = {
    ...before,
    name,
    items,
    status: 'SCHEDULED',
    failure: null,
    updatedAt: ctx.now,
    at: isPlanned ? Math.max(at, ctx.now) : at,
  };
  await updateRelease(ctx.db, row);
  if (isPlanned) await plan(ctx, entityOf(row), row.at);
  const [data, previous] = [viewRelease(row), viewRelease(before)];
  ctx.emit({ type: 'release.updated', entity: entityOf(row), data, before: previous });
  return { record: data, version: row.version + 1 };
}

export async function cancelRelease(ctx: Command, id: string): Promise<Versioned<Release>> {
  const before = await lockOpen(ctx, id);
  const row: ReleaseRow = { ...before, status: 'CANCELLED', updatedAt: ctx.now };
  await updateRelease(ctx.db, row);
  await plan(ctx, entityOf(row), null);
  const record = viewRelease(row);
  ctx.emit({ type: 'release.cancelled', entity: entityOf(row), data: record, before: viewRelease(before) });
  return { record, version: row.version + 1 };
}

async function lockOpen(ctx: Command, id: string): Promise<ReleaseRow> {
  requirePublisher(ctx);
  const row = await lockRelease(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Release');
  ctx.checkVersion(row.version);
  requirePermissions(ctx, ctx.publishing.kindsIn(row.items));
  if (row.status !== 'SCHEDULED' && row.status !== 'FAILED')
    throw conflict(`This release is ${row.status} and can't be changed. Create a new release.`);
  return row;
}

export const entityOf = ({ id }: { id: string }) => `release:${id}` as const;

type Reader = PublishingServices & { caller: Caller; businessId: string };

function requirePublisher({ caller, businessId, publishing }: Reader): void {
  const permissions = publishing.recordKinds().map(({ permission }) => permission);
  if (permissions.some((permission) => may(caller, businessId, permission))) return;
  throw forbidden(`This requires the ${[...new Set(permissions)].join(' or ')} permission in this business.`);
}

function requirePermissions({ caller, businessId }: Reader, kinds: Iterable<PublishableKind>): void {
  for (const { permission } of kinds) {
    if (!may(caller, businessId, permission))
      throw forbidden(`This requires the ${permission} permission in this business.`);
  }
}

/** Resolves items to entity names, in lock order. Throws a 422 that lists duplicate and unknown items. */
async function resolveItems(ctx: Command, ids: readonly string[]): Promise<string[]> {
  const { db, businessId, publishing } = ctx;
  const errors: FieldError[] = [];
  const byKind = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [i, id] of ids.entries()) {
    const kind = publishing.kindOfId(id);
    if (seen.has(id)) errors.push({ field: `items[${i}]`, error: 'DUPLICATE', message: `items[${i}] is a duplicate.` });
    else if (kind === null) errors.push(unknown(i));
    else byKind.set(kind, [...(byKind.get(kind) ?? []), id]);
    seen.add(id);
  }
  requirePermissions(ctx, [...byKind.keys()].map(publishing.recordKind));
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
  message: `items[${i}] does not match any entry, product or collection in this business.`,
});
