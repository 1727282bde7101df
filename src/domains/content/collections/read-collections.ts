import type { Versioned } from '../../../context/index.ts';
import { isMember } from '../../../shared/caller.ts';
import { notFound } from '../../../shared/errors.ts';
import { fittingRows, type Page, pageLimit } from '../../../shared/paging.ts';
import { publicJson } from '../../../shared/statuses.ts';
import { isContentStaff } from '../access.ts';
import type { Query } from '../context.ts';
import { findCollection, findCollectionId, listCollectionDocuments, listCollectionRows } from './queries.ts';
import type { CollectionQuery } from './schemas.ts';

/** As the JSON it is stored as. Everybody sees what is PUBLISHED, the staff the rest. */
export async function readCollection(ctx: Query, idOrSlug: string): Promise<Versioned<Buffer>> {
  const { db, caller, businessId } = ctx;
  const id = await findCollectionId(db, businessId, idOrSlug);
  const row = id && (await findCollection(db, businessId, id));
  if (!row || (row.status !== 'PUBLISHED' && !isContentStaff(ctx))) throw notFound('Collection');
  const { doc, version } = row;
  return { record: Buffer.from(isMember(caller, businessId) ? doc : publicJson(doc)), version };
}

export async function listCollections(ctx: Query, query: CollectionQuery): Promise<Page<Buffer>> {
  const { db, businessId, cursors } = ctx;
  const asked: readonly string[] | undefined = query.status === undefined ? query.statuses : [query.status];
  const statuses = isContentStaff(ctx) ? asked : (asked ?? ['PUBLISHED']).filter((status) => status === 'PUBLISHED');
  const limit = pageLimit(query.limit);
  const scope = `collections:${businessId}`;
  const rows = await listCollectionRows(db, businessId, {
    ...query,
    statuses,
    after: cursors.decode(scope, query.cursor) as [number, string] | null,
    limit: limit + 1,
  });
  const { items, cursor } = cursors.page(
    scope,
    rows,
    fittingRows(rows, limit),
    (row) => [row.createdAt, row.id],
    (row) => row,
  );
  const read = (ids: readonly string[]) => listCollectionDocuments(db, businessId, ids, statuses);
  const documents = await ctx.content.documents.for(ctx).complete(businessId, items, read, false);
  return { items: documents!, cursor };
}
