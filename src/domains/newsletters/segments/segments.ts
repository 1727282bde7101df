import type { Versioned } from '../../../context/index.ts';
import { conflict, invalid, notFound } from '../../../shared/errors.ts';
import { isId, newId, type PreviousIdentity } from '../../../shared/ids.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { checkFilter, type Filter, toFilter } from './filter.ts';
import {
  countPeople,
  deleteSegment as deleteRow,
  findSegment,
  insertSegment,
  isSegmentUsed,
  listChoices,
  listPeople,
  listSegments as listRows,
  lockSegment,
  type PersonRow,
  type SegmentRow,
  updateSegment,
} from './queries.ts';
import {
  type ListedSegment,
  personOf,
  type Segment,
  type SegmentChange,
  type SegmentChoices,
  type SegmentCount,
  type SegmentInput,
  type SegmentPerson,
  type SegmentQuery,
  segmentOf,
} from './schemas.ts';

/** Throws 422 if the filter is invalid. */
function readFilter(filter: unknown): Filter {
  const errors = checkFilter(filter);
  if (errors.length > 0) throw invalid(errors);
  return toFilter(filter);
}

export const createSegment = (ctx: Command, input: SegmentInput): Promise<Segment> => addSegment(ctx, input, {});

/** An existing segment stays unchanged. */
export async function importSegment(
  ctx: Command,
  { input, kept }: { input: SegmentInput; kept: PreviousIdentity },
): Promise<{ result: 'CREATED' | 'UNCHANGED'; id: string }> {
  const id = kept.id ?? '';
  if (await findSegment(ctx.db, ctx.businessId, id)) return { result: 'UNCHANGED', id };
  return { result: 'CREATED', id: (await addSegment(ctx, input, kept)).id };
}

async function addSegment(ctx: Command, { name, filter }: SegmentInput, kept: PreviousIdentity): Promise<Segment> {
  const { businessId, now } = ctx;
  const row: SegmentRow = {
    businessId,
    id: kept.id !== undefined && isId('seg', kept.id) ? kept.id : newId('seg'),
    name,
    filter: readFilter(filter),
    version: 1,
    createdAt: Math.min(kept.createdAt ?? now, now),
    updatedAt: kept.updatedAt ?? now,
  };
  await insertSegment(ctx.db, row);
  const data = segmentOf(row);
  ctx.emit({ type: 'segment.created', entity: `segment:${row.id}`, data });
  return data;
}

export async function changeSegment(
  ctx: Command,
  { id, change }: { id: string; change: SegmentChange },
): Promise<Versioned<Segment>> {
  const row = await lockSegment(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Segment');
  ctx.checkVersion(row.version);
  const changed = {
    ...row,
    name: change.name ?? row.name,
    filter: change.filter === undefined ? row.filter : readFilter(change.filter),
    updatedAt: ctx.now,
  };
  await updateSegment(ctx.db, changed);
  const data = segmentOf(changed);
  ctx.emit({ type: 'segment.updated', entity: `segment:${id}`, data, before: segmentOf(row) });
  return { record: data, version: row.version + 1 };
}

export async function deleteSegment(ctx: Command, id: string) {
  const row = await lockSegment(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Segment');
  ctx.checkVersion(row.version);
  if (await isSegmentUsed(ctx.db, ctx.businessId, id)) {
    throw conflict('A scheduled send uses this segment. Cancel the send first.');
  }
  await deleteRow(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'segment.deleted', entity: `segment:${id}`, data: segmentOf(row) });
  return SUCCESS;
}

async function getSegment({ db, businessId }: Query, id: string): Promise<SegmentRow> {
  const row = await findSegment(db, businessId, id);
  if (!row) throw notFound('Segment');
  return row;
}

export async function readSegment(ctx: Query, id: string): Promise<Versioned<Segment>> {
  const row = await getSegment(ctx, id);
  return { record: segmentOf(row), version: row.version };
}

/** Newest first. */
export async function listSegments(ctx: Query, query: SegmentQuery): Promise<Page<ListedSegment>> {
  const { replica, businessId, cursors } = ctx;
  const limit = pageLimit(query.limit);
  const scope = `segments:${businessId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listRows(replica, businessId, before as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...segmentOf(row), etag: etagOf(row.version) }),
  );
}

export async function countSegment(ctx: Query, id: string): Promise<SegmentCount> {
  return countFilter(ctx, (await getSegment(ctx, id)).filter);
}

/** For a filter that is not saved yet. */
export const countUnsaved = (ctx: Query, filter: Filter): Promise<SegmentCount> => countFilter(ctx, readFilter(filter));

const countFilter = async (ctx: Query, filter: Filter): Promise<SegmentCount> => ({
  count: await ctx.scan((db) => countPeople(db, ctx.businessId, filter, ctx.now)),
});

/** Sorted by email. */
export async function listSegmentPeople(
  ctx: Query,
  { id, ...query }: SegmentQuery & { id: string },
): Promise<Page<SegmentPerson>> {
  const { replica, businessId, cursors, now } = ctx;
  const { filter } = await getSegment(ctx, id);
  const limit = pageLimit(query.limit);
  const scope = `segment-people:${businessId}:${id}`;
  const [after] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listPeople(replica, businessId, filter, {
    after: after as string | null,
    limit: limit + 1,
    nowSeconds: now,
  });
  return cursors.page(scope, rows, limit, (row) => [row.email], personOf);
}

/** The tags and custom fields that filters can use. */
export async function listSegmentChoices({ replica, businessId }: Query): Promise<SegmentChoices> {
  const { subscriberTags, subscriberFields, customerTags } = await listChoices(replica, businessId);
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  return {
    subscriberTags: names(subscriberTags),
    subscriberFields: names(subscriberFields),
    customerTags: names(customerTags),
  };
}

const EXPORT_PAGE = 5000;

/** All people in the segment, sorted by email. */
export async function* exportSegmentPeople(ctx: Query, id: string): AsyncGenerator<SegmentPerson[]> {
  const { db, businessId, now: nowSeconds } = ctx;
  const { filter } = await getSegment(ctx, id);
  for (let after: string | null = null; ; ) {
    const rows: readonly PersonRow[] = await listPeople(db, businessId, filter, {
      after,
      limit: EXPORT_PAGE,
      nowSeconds,
    });
    if (rows.length > 0) yield rows.map(personOf);
    if (rows.length < EXPORT_PAGE) return;
    after = rows.at(-1)!.email;
  }
}
