import type { Versioned } from '../../../context/index.ts';
import { countRows } from '../../../db/count.ts';
import { notFound } from '../../../shared/errors.ts';
import { addTotal, countRowsPerPage, MAX_TOTAL, type Page, pageLimit } from '../../../shared/paging.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { isContentStaff } from '../access.ts';
import type { Query } from '../context.ts';
import { findCollectionId, findCollectionState, listCollectionDocuments, listCollectionRows } from './queries.ts';
import type { CollectionQuery } from './schemas.ts';

/** Everyone sees PUBLISHED collections; staff see all. */
export async function readCollection(ctx: Query, idOrSlug: string): Promise<Versioned<SerializedJson>> {
  const { db, businessId, content } = ctx;
  const id = await findCollectionId(db, businessId, idOrSlug);
  const find = (known: number) => findCollectionState(db, businessId, id!, known);
  const found = id && (await content.collectionResponses.one(ctx, id, find));
  if (!found || (found.status !== 'PUBLISHED' && !isContentStaff(ctx))) throw notFound('Collection');
  return { record: found.body, version: found.version };
}

export async function listCollections(ctx: Query, query: CollectionQuery): Promise<Page<SerializedJson>> {
  const { db, replica, businessId, cursors } = ctx;
  const requested: readonly string[] | undefined = query.status === undefined ? query.statuses : [query.status];
  const statuses = isContentStaff(ctx)
    ? requested
    : (requested ?? ['PUBLISHED']).filter((status) => status === 'PUBLISHED');
  const limit = pageLimit(query.limit);
  const scope = `collections:${businessId}`;
  const after = cursors.decode(scope, query.cursor) as [number, string] | null;
  const rows = await listCollectionRows(replica, businessId, { ...query, statuses, after, limit: limit + 1 });
  const { items, cursor } = cursors.page(
    scope,
    rows,
    countRowsPerPage(rows, limit),
    (row) => [row.createdAt, row.id],
    (row) => row,
  );
  const read = (ids: string[]) => listCollectionDocuments(db, businessId, ids, statuses);
  const responses = await ctx.content.collectionResponses.page(ctx, items, read, false);
  return addTotal({ items: responses!, cursor }, query, () =>
    countRows(replica, listCollectionRows(replica, businessId, { ...query, statuses, after: null, limit: MAX_TOTAL })),
  );
}
