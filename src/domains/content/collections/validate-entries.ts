import { AS_IT_IS } from '../../../shared/blocks.ts';
import { type FieldError, notFound } from '../../../shared/errors.ts';
import { fittingRows, type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import type { Query } from '../context.ts';
import { type EntryList, listByAge } from '../entries/list-queries.ts';
import { listDocuments } from '../entries/queries.ts';
import type { Entry } from '../entries/schemas.ts';
import { collectionOwner } from '../owners.ts';
import { CONTENT_STATUSES } from '../statuses.ts';
import type { CompiledSchema } from './block-schemas.ts';
import { findCollectionId } from './queries.ts';

type Misfit = { entryId: string; errors: FieldError[] };

const BATCH = 100;
/** A request looks at this many entries at most: the cursor leads on, also from a page without any. */
const MAX_BATCHES = 10;
const MAX_ERRORS = 20;

/** The entries that would be refused by the schema as it is now, oldest first. What they refer to is not looked up. */
export async function validateEntries(
  { db, businessId, content, cursors }: Query,
  { idOrSlug, ...query }: PageQuery & { idOrSlug: string },
): Promise<Page<Misfit>> {
  const id = await findCollectionId(db, businessId, idOrSlug);
  const schema = id && (await content.schemas.find(db, businessId, id));
  if (!id || !schema) throw notFound('Collection');
  const scope = `misfits:${businessId}:${id}`;
  const limit = pageLimit(query.limit);
  let position = cursors.decode(scope, query.cursor) as [number, string] | null;
  const misfits: Misfit[] = [];
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const rows = await listByAge(db, entriesOf(businessId, id), position);
    const read = rows.slice(0, fittingRows(rows, BATCH));
    const documents = await listDocuments(
      db,
      businessId,
      read.map((row) => row.id),
      { statuses: CONTENT_STATUSES, isStaff: true },
    );
    const found = new Map(documents.map((row) => [row.id, row.doc]));
    for (const row of read) {
      const doc = found.get(row.id);
      const errors = doc === undefined ? [] : errorsOf(JSON.parse(doc) as Entry, schema);
      if (errors.length > 0) misfits.push({ entryId: row.id, errors });
      position = [row.createdAt, row.id];
      if (misfits.length === limit) return { items: misfits, cursor: cursors.encode(scope, position) };
    }
    if (read.length === rows.length) return { items: misfits, cursor: null };
  }
  return { items: misfits, cursor: position && cursors.encode(scope, position) };
}

function errorsOf({ blocks, statuses }: Entry, { check }: CompiledSchema): FieldError[] {
  const draft = currentStatus(statuses) === 'DRAFT';
  return check(blocks, 'blocks', { draft, sanitize: AS_IT_IS }).errors.slice(0, MAX_ERRORS);
}

const entriesOf = (businessId: string, collectionId: string): EntryList => ({
  businessId,
  owner: collectionOwner(collectionId),
  isStaff: true,
  statuses: CONTENT_STATUSES,
  filters: [],
  ids: null,
  search: null,
  createdFrom: null,
  createdTo: null,
  descending: false,
  limit: BATCH + 1,
});
