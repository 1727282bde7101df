import type { Db } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { notFound } from '../../shared/errors.ts';
import { type Cursors, type Page, pageLimit } from '../../shared/paging.ts';
import { type DocumentRow, findCollection, listCollections } from './collection-queries.ts';
import { isContentStaff } from './entry-access.ts';
import type { CollectionQuery } from './schemas.ts';

const SCOPE = 'collections:newest';

/** As the JSON text it is stored as. Everybody sees what is PUBLISHED, the staff the rest. */
export async function readCollection(db: Db, caller: Caller, businessId: string, id: string): Promise<DocumentRow> {
  const row = await findCollection(db, businessId, id);
  if (!row || (row.status !== 'PUBLISHED' && !isContentStaff(caller, businessId))) throw notFound('Collection');
  return row;
}

export async function listCollectionPage(
  db: Db,
  cursors: Cursors,
  caller: Caller,
  businessId: string,
  query: CollectionQuery,
): Promise<Page<string>> {
  const isStaff = isContentStaff(caller, businessId);
  if (!isStaff && query.status !== undefined && query.status !== 'PUBLISHED') return { items: [], cursor: null };
  const limit = pageLimit(query.limit);
  const rows = await listCollections(db, businessId, {
    type: query.type,
    slug: query.slug,
    status: isStaff ? query.status : 'PUBLISHED',
    after: cursors.decode(SCOPE, query.cursor) as [number, string] | null,
    limit: limit + 1,
  });
  return cursors.page(
    SCOPE,
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => row.doc,
  );
}
