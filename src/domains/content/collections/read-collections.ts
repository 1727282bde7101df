import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { isContentStaff } from '../access.ts';
import type { Query } from '../context.ts';
import { findCollection, listCollectionRows } from './queries.ts';
import type { CollectionQuery } from './schemas.ts';

const SCOPE = 'collections:newest';

/** As the JSON it is stored as. Everybody sees what is PUBLISHED, the staff the rest. */
export async function readCollection(ctx: Query, id: string): Promise<Versioned<Buffer>> {
  const row = await findCollection(ctx.db, ctx.businessId, id);
  if (!row || (row.status !== 'PUBLISHED' && !isContentStaff(ctx))) throw notFound('Collection');
  return { record: Buffer.from(row.doc), version: row.version };
}

export async function listCollections(ctx: Query, query: CollectionQuery): Promise<Page<Buffer>> {
  const isStaff = isContentStaff(ctx);
  if (!isStaff && query.status !== undefined && query.status !== 'PUBLISHED') return { items: [], cursor: null };
  const limit = pageLimit(query.limit);
  const rows = await listCollectionRows(ctx.db, ctx.businessId, {
    type: query.type,
    slug: query.slug,
    status: isStaff ? query.status : 'PUBLISHED',
    after: ctx.cursors.decode(SCOPE, query.cursor) as [number, string] | null,
    limit: limit + 1,
  });
  return ctx.cursors.page(
    SCOPE,
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => Buffer.from(row.doc),
  );
}
