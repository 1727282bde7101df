import { notFound } from '../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { diffOf } from './diff.ts';
import type { Version, VersionDetail } from './schemas.ts';
import {
  findFormerVersion,
  findVersion,
  listVersionRows,
  type StoredVersion,
  type VersionedEntity,
  type VersionRow,
} from './version-queries.ts';

/** A record whose versions are read, as it is now: one whose content was never changed has no other. */
export type Current = {
  entity: VersionedEntity;
  number: number;
  userId: string | null;
  createdAt: number;
  doc: string;
  /** The content of a stored document. */
  parse: (doc: string) => object;
};

/** Newest first. */
export async function listVersions(ctx: Query, current: Current, query: PageQuery): Promise<Page<Version>> {
  const { db, businessId, cursors } = ctx;
  const scope = `versions:${businessId}:${current.entity}`;
  const limit = pageLimit(query.limit);
  const [before = null] = (cursors.decode(scope, query.cursor) ?? []) as number[];
  const rows: readonly VersionRow[] = await listVersionRows(db, businessId, current.entity, {
    before,
    limit: limit + 1,
  });
  const { items, cursor } = cursors.page(
    scope,
    rows.length > 0 || before !== null ? rows : [onlyVersion(current)],
    limit,
    ({ number }) => [number],
    (row) => row,
  );
  const names = await namesOf(ctx, items);
  return { items: items.map((row) => viewVersion(row, names)), cursor };
}

/** One with its document, compared with another one or the one before it. */
export async function readVersion(
  ctx: Query,
  current: Current,
  { number, against }: { number: number; against?: number },
): Promise<VersionDetail> {
  const { db, businessId } = ctx;
  const { entity, parse } = current;
  const row = (await findVersion(db, businessId, entity, number)) ?? asOnly(current, number);
  if (!row) throw notFound('Version');
  const other =
    against === undefined
      ? await findFormerVersion(db, businessId, entity, row)
      : ((await findVersion(db, businessId, entity, against)) ?? asOnly(current, against));
  if (against !== undefined && !other) throw notFound('Version to compare with');
  const document = parse(row.doc);
  return {
    ...viewVersion(row, await namesOf(ctx, [row])),
    comparedWith: other?.number ?? null,
    changes: other ? diffOf(parse(other.doc), document) : [],
    document,
  };
}

const onlyVersion = ({ number, userId, createdAt, doc }: Current): StoredVersion => ({
  ...{ number, isDraft: false, action: 'CREATED', restoredFrom: null, userId, keyId: null },
  ...{ changed: '[]', createdAt, doc },
});

/** Also of a record that has changed since in nothing that is noted. */
const asOnly = (current: Current, number: number) => (number === current.number ? onlyVersion(current) : null);

const namesOf = (ctx: Query, rows: readonly VersionRow[]) =>
  ctx.events.namesOf(ctx.db, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]);

const viewVersion = (
  { number, action, isDraft, restoredFrom, userId, keyId, changed, createdAt }: VersionRow,
  names: ReadonlyMap<string, string>,
): Version => ({
  ...{ number, action, isDraft, restoredFrom, userId, keyId, userName: names.get(userId ?? '') || null },
  ...{ changed: JSON.parse(changed), createdAt },
});
