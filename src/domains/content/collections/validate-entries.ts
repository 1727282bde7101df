import { AS_IS } from '../../../shared/blocks/index.ts';
import { type FieldError, notFound } from '../../../shared/errors.ts';
import { countRowsPerPage, type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import type { Query } from '../context.ts';
import { type EntryList, listByAge } from '../entries/lists/list-queries.ts';
import { listDocuments } from '../entries/queries.ts';
import type { Entry } from '../entries/schemas.ts';
import { collectionOwner } from '../owners.ts';
import { CONTENT_STATUSES } from '../statuses.ts';
import type { CompiledSchema } from './block-schemas.ts';
import { findCollectionId } from './queries.ts';

type InvalidEntry = { entryId: string; errors: FieldError[] };

const BATCH = 100;
/** Limits the entries checked per request. A page may be empty and still have a cursor. */
const MAX_BATCHES = 10;
const MAX_ERRORS = 20;

/** Entries that fail validation against the current schema, oldest first. References are not checked. */
export async function validateEntries(
  { db, businessId, content, cursors }: Query,
  { idOrSlug, ...query }: PageQuery & { idOrSlug: string },
): Promise<Page<InvalidEntry>> {
  const id = await findCollectionId(db, businessId, idOrSlug);
  const schema = id && (await content.schemas.find(db, businessId, id));
  if (!id || !schema) throw notFound('Collection');
  const scope = `invalid:${businessId}:${id}`;
  const limit = pageLimit(query.limit);
  let position = cursors.decode(scope, query.cursor) as [number, string] | null;
  const invalidEntries: InvalidEntry[] = [];
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const rows = await listByAge(db, entriesOf(businessId, id), position);
    const read = rows.slice(0, countRowsPerPage(rows, BATCH));
    const documents = await listDocuments(
      db,
      businessId,
      read.map((row) => row.id),
      { statuses: CONTENT_STATUSES, isStaff: true },
    );
    const found = new Map(documents.map((row) => [row.id, row.doc]));
    for (const row of read) {
      const doc = found.get(row.id);
      const errors = doc === undefined ? [] : errorsOf(doc, schema);
      if (errors.length > 0) invalidEntries.push({ entryId: row.id, errors });
      position = [row.createdAt, row.id];
      if (invalidEntries.length === limit) return { items: invalidEntries, cursor: cursors.encode(scope, position) };
    }
    if (read.length === rows.length) return { items: invalidEntries, cursor: null };
  }
  return { items: invalidEntries, cursor: position && cursors.encode(scope, position) };
}

function errorsOf({ blocks, statuses }: Entry, { check }: CompiledSchema): FieldError[] {
  const draft = currentStatus(statuses) === 'DRAFT';
  return check(blocks, 'blocks', { draft, sanitize: AS_IS }).errors.slice(0, MAX_ERRORS);
}

const entriesOf = (businessId: string, collectionId: string): EntryList => ({
  businessId,
  owner: collectionOwner(collectionId),
  isStaff: true,
  includesOthers: false,
  statuses: CONTENT_STATUSES,
  filters: [],
  ids: null,
  search: null,
  createdFrom: null,
  createdTo: null,
  descending: false,
  limit: BATCH + 1,
});
