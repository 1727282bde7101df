import type { Versioned } from '../../context/index.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { forbidden, notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { toItem } from './item.ts';
import { mainKeyOf } from './names.ts';
import { findMedia, listEntitiesUsing, listMedia, wordsOf } from './queries.ts';
import type { MediaItem, MediaQuery, MediaUses } from './schemas.ts';
import type { Kind } from './types.ts';

const MAX_NAMED = 100;
const READERS = ['MEDIA_WRITE', 'CATALOG_WRITE', 'CONTENT_WRITE'] as const;

/** Whoever may put files into records sees which there are. */
function requireReader(caller: Caller, businessId: string): void {
  if (!READERS.some((permission) => may(caller, businessId, permission))) {
    throw forbidden(`This needs one of the permissions ${READERS.join(', ')} in this business.`);
  }
}

export async function listMediaItems(ctx: Query, query: MediaQuery): Promise<Page<MediaItem>> {
  const { businessId, cursors } = ctx;
  requireReader(ctx.caller, businessId);
  const scope = `media:${businessId}`;
  const limit = pageLimit(query.limit);
  const [beforeId = null] = cursors.decode(scope, query.cursor) ?? [];
  const words = wordsOf(query.query ?? '');
  if (query.query && words.length === 0) return { items: [], cursor: null };
  const kind = (query.type?.toUpperCase() as Kind | undefined) ?? null;
  const list = { kind, words, beforeId: beforeId as string | null, limit: limit + 1 };
  const rows = await listMedia(ctx.db, businessId, list);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => toItem(row, ctx.media.baseUrl()),
  );
}

export async function readMedia(ctx: Query, id: string): Promise<Versioned<MediaItem>> {
  requireReader(ctx.caller, ctx.businessId);
  const row = await findMedia(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Media');
  return { record: toItem(row, ctx.media.baseUrl()), version: row.version };
}

/** Which records use it, as a refused deletion names them. */
export async function readMediaUses(ctx: Query, id: string): Promise<MediaUses> {
  requireReader(ctx.caller, ctx.businessId);
  if (!(await findMedia(ctx.db, ctx.businessId, id))) throw notFound('Media');
  return { entities: await listEntitiesUsing(ctx.db, ctx.businessId, id, MAX_NAMED) };
}

/** The object of a file, for a domain that reads its bytes. Null: the library has no such file. */
export async function findMediaFile(
  ctx: Pick<Query, 'caller' | 'db' | 'businessId'>,
  id: string,
): Promise<{ key: string; fileName: string; size: number } | null> {
  requireReader(ctx.caller, ctx.businessId);
  const row = await findMedia(ctx.db, ctx.businessId, id);
  return row && { key: mainKeyOf(row), fileName: row.fileName, size: row.size };
}
