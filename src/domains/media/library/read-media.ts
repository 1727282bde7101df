import type { Versioned } from '../../../context/index.ts';
import { countRows } from '../../../db/count.ts';
import { forbidden, notFound } from '../../../shared/errors.ts';
import { addTotal, MAX_TOTAL, type Page, pageLimit } from '../../../shared/paging.ts';
import { type Caller, may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { mainKeyOf } from '../delivery/names.ts';
import { toItem } from '../item.ts';
import { findMedia, listEntitiesUsing, listMedia, wordsOf } from '../queries.ts';
import type { MediaItem, MediaQuery, MediaUses } from '../schemas.ts';
import type { Kind } from '../uploads/file-types.ts';

const MAX_LISTED = 100;
const READERS = ['MEDIA_WRITE', 'CATALOG_WRITE', 'CONTENT_WRITE'] as const;

/** Anyone who can add files to records can read the library. */
function requireReader(caller: Caller, businessId: string): void {
  if (!READERS.some((permission) => may(caller, businessId, permission))) {
    throw forbidden(`This requires the ${READERS.join(' or ')} permission in this business.`);
  }
}

export async function listMediaItems(ctx: Query, query: MediaQuery): Promise<Page<MediaItem>> {
  const { businessId, cursors } = ctx;
  requireReader(ctx.caller, businessId);
  const scope = `media:${businessId}`;
  const limit = pageLimit(query.limit);
  const [beforeId = null] = cursors.decode(scope, query.cursor) ?? [];
  const words = wordsOf(query.query ?? '');
  if (query.query && words.length === 0) return addTotal({ items: [], cursor: null }, query, async () => 0);
  const kind = (query.type?.toUpperCase() as Kind | undefined) ?? null;
  const list = (from: string | null, max: number) =>
    listMedia(ctx.replica, businessId, { kind, words, beforeId: from, limit: max });
  const page = cursors.page(
    scope,
    await list(beforeId as string | null, limit + 1),
    limit,
    (row) => [row.id],
    (row) => toItem(row, ctx.media.baseUrl()),
  );
  return addTotal(page, query, () => countRows(ctx.replica, list(null, MAX_TOTAL)));
}

export async function readMedia(ctx: Query, id: string): Promise<Versioned<MediaItem>> {
  requireReader(ctx.caller, ctx.businessId);
  const row = await findMedia(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Media file');
  return { record: toItem(row, ctx.media.baseUrl()), version: row.version };
}

/** The records that use the file, as listed when a deletion is rejected. */
export async function readMediaUses(ctx: Query, id: string): Promise<MediaUses> {
  requireReader(ctx.caller, ctx.businessId);
  if (!(await findMedia(ctx.db, ctx.businessId, id))) throw notFound('Media file');
  return { entities: await listEntitiesUsing(ctx.db, ctx.businessId, id, MAX_LISTED) };
}

/** The object of a file, for domains that read its content. */
export async function findMediaFile(
  ctx: Pick<Query, 'caller' | 'db' | 'businessId'>,
  id: string,
): Promise<{ key: string; fileName: string; size: number } | null> {
  requireReader(ctx.caller, ctx.businessId);
  const row = await findMedia(ctx.db, ctx.businessId, id);
  return row && { key: mainKeyOf(row), fileName: row.fileName, size: row.size };
}
