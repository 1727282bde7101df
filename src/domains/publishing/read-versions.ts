import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { diffOf } from './diff.ts';
import type { PublishedRecord, RecordKind, Stored } from './kinds.ts';
import { firstVersion } from './new-version.ts';
import type { Version, VersionDetail } from './schemas.ts';
import { getForStaff, shown } from './stored-record.ts';
import { findPreviousVersion, findVersion, listVersionRows, type VersionRow } from './version-queries.ts';

/** Newest first. */
export async function listVersions(
  ctx: Query,
  { kind, id, ...query }: PageQuery & { kind: RecordKind; id: string },
): Promise<Page<Version>> {
  const { db, businessId, cursors } = ctx;
  const stored = await getForStaff(ctx, kind, id);
  const entity = `${kind.name}:${stored.record.id}` as const;
  const scope = `versions:${businessId}:${entity}`;
  const limit = pageLimit(query.limit);
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const rows: readonly VersionRow[] = await listVersionRows(db, businessId, entity, { before, limit: limit + 1 });
  const { items, cursor } = cursors.page(
    scope,
    rows.length > 0 || before !== null ? rows : [onlyVersion(stored)],
    limit,
    ({ number }) => [number],
    (row) => row,
  );
  const names = await namesOf(ctx, items);
  return { items: items.map((row) => viewVersion(row, names)), cursor };
}

type ReadVersion = { kind: RecordKind; id: string; number: number; against?: number | undefined };

/** A version with its document, compared with another version or, by default, the previous one. */
export async function readVersion(ctx: Query, { kind, id, number, against }: ReadVersion): Promise<VersionDetail> {
  const { db, businessId } = ctx;
  const stored = await getForStaff(ctx, kind, id);
  const entity = `${kind.name}:${stored.record.id}` as const;
  /** The current version has no row until the content changes. */
  const find = async (requested: number) => {
    const row = await findVersion(db, businessId, entity, requested);
    if (row) return { row, record: kind.parse(row.doc) };
    return requested === stored.version ? { row: onlyVersion(stored), record: stored.record } : null;
  };
  const findPrevious = async (row: VersionRow) => {
    const previous = await findPreviousVersion(db, businessId, entity, row);
    return previous && { row: previous, record: kind.parse(previous.doc) };
  };
  const found = await find(number);
  if (!found) throw notFound('Version');
  const other = await (against === undefined ? findPrevious(found.row) : find(against));
  if (against !== undefined && !other) throw notFound('Comparison version');
  const documentOf = (record: PublishedRecord) =>
    kind.showVersion?.(record, ctx.publicUrl()) ?? shown(ctx, kind, record);
  const document = documentOf(found.record);
  return {
    ...viewVersion(found.row, await namesOf(ctx, [found.row])),
    comparedWith: other?.row.number ?? null,
    changes: other ? diffOf(documentOf(other.record), document) : [],
    document,
  };
}

const onlyVersion = ({ record, version }: Stored<PublishedRecord>): VersionRow => ({
  number: version,
  isDraft: false,
  action: 'CREATED',
  restoredFrom: null,
  keyId: null,
  changed: [],
  ...firstVersion(record),
});

const namesOf = (ctx: Query, rows: readonly VersionRow[]) =>
  ctx.events.people.namesOf(ctx.db, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]);

const viewVersion = (
  { number, action, isDraft, restoredFrom, userId, keyId, changed, createdAt }: VersionRow,
  names: ReadonlyMap<string, string>,
): Version => ({
  number,
  action,
  isDraft,
  restoredFrom,
  userId,
  keyId,
  userName: names.get(userId ?? '') || null,
  changed,
  createdAt,
});
