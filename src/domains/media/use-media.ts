/** For domains whose records contain media: clients send an ID, and the record stores a copy of the item. */
import type { Db, Tx } from '../../db/sql.ts';
import type { BlockValue } from '../../shared/blocks/index.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { Media } from '../../shared/schemas.ts';
import type { MediaServices } from './context.ts';
import { toMedia } from './item.ts';
import { listMediaByIds, lockMediaForUse } from './queries.ts';

/** Library items by ID. */
export type MediaById = ReadonlyMap<string, Media>;

const isLibraryId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('media_') && id.length <= 64;

/** Finds the items with these IDs. In a transaction they can't be deleted until it ends. */
export async function findUsedMedia(
  { db, businessId, media }: { db: Db | Tx; businessId: string } & MediaServices,
  ids: Iterable<unknown>,
  base = media.storedBase,
): Promise<MediaById> {
  const libraryIds = [...new Set(ids)].filter(isLibraryId);
  if (libraryIds.length === 0) return new Map();
  const rows = await ('savepoint' in db
    ? lockMediaForUse(db, businessId, libraryIds)
    : listMediaByIds(db, businessId, libraryIds));
  return new Map(rows.map((row) => [row.id, toMedia(row, base)]));
}

type MediaInput = { id?: string; url?: string; mimeType?: string };

/** The library item, or the value that was sent if it has a URL. An unknown ID without a URL is an error. */
export function useMedia<T extends MediaInput>(
  sent: T,
  known: MediaById,
  field: string,
  errors: FieldError[],
): T | Media {
  const item = sent.id === undefined ? undefined : known.get(sent.id);
  if (item) return item;
  if (sent.url === undefined) {
    errors.push(
      sent.id === undefined
        ? {
            field: `${field}.url`,
            error: 'REQUIRED',
            message: `${field} requires a url, or the id of a file in the media library.`,
          }
        : { field: `${field}.id`, error: 'NOT_FOUND', message: `${field}.id does not exist in the media library.` },
    );
  }
  return sent;
}

type BlockInput = { type?: unknown; value?: unknown };

/** The items in MEDIA blocks. */
export const mediaIn = (blocks: readonly BlockInput[]): MediaInput[] =>
  blocks
    .filter(({ type }) => type === 'MEDIA')
    .flatMap(({ value }) => [value].flat() as (MediaInput | null | undefined)[])
    .filter((item) => item !== null && item !== undefined);

/** The item IDs in MEDIA blocks. */
export const mediaIdsIn = (blocks: readonly BlockInput[]) => mediaIn(blocks).map(({ id }) => id);

/** The blocks with library items filled in. */
export const useMediaInBlocks = (blocks: readonly BlockValue[], known: MediaById): BlockValue[] =>
  mapMedia(blocks, (item) => (item.id === undefined ? item : (known.get(item.id) ?? item)));

/** Replaces each item in the blocks; null removes it. */
export function mapMedia<T extends BlockInput>(
  blocks: readonly T[],
  change: (item: MediaInput) => MediaInput | null,
): T[] {
  return blocks.map((block) => {
    if (block.type !== 'MEDIA' || block.value === null || block.value === undefined) return block;
    if (!Array.isArray(block.value)) return { ...block, value: change(block.value as MediaInput) };
    return { ...block, value: block.value.map(change).filter((item) => item !== null) };
  });
}

/** The files of an import: their IDs by URL, whether in the library or still to be fetched, and the library items. */
type ImportedMedia = { addresses: ReadonlyMap<string, string> | undefined; media: MediaById };

/** Blocks of an import file. Items that the library or the record has are kept; others are matched by URL. */
export function matchImportedMedia<T extends BlockInput>(
  blocks: readonly T[],
  current: readonly BlockInput[],
  { addresses = new Map(), media }: ImportedMedia,
): T[] {
  const known = new Map(mediaIn(current).map((item) => [item.url, item]));
  return mapMedia(blocks, (item) => {
    if (typeof item?.url !== 'string' || media.has(item.id ?? '')) return item;
    const id = addresses.get(item.url);
    if (id === undefined) return item;
    return known.get(item.url) ?? (media.has(id) ? { id } : { ...item, id });
  });
}

/** Absolute URLs of the items that an import must fetch, including files this service hosts for another business. */
export const waitingAddresses = (items: readonly MediaInput[], publicUrl: string): string[] => [
  ...new Set(
    items.flatMap(({ id, url = '' }) => (id?.startsWith('url_') ? [url.startsWith('/') ? publicUrl + url : url] : [])),
  ),
];
