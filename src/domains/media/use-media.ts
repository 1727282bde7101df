/** For domains whose records use files: they name an id, and their records carry the item. */
import type { Db, Tx } from '../../db/sql.ts';
import type { BlockValue } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { Media } from '../../shared/schemas.ts';
import type { MediaServices } from './context.ts';
import { toMedia } from './item.ts';
import { listMediaByIds, lockMediaForUse } from './queries.ts';

/** Items of the library by their id. */
export type MediaById = ReadonlyMap<string, Media>;

const isLibraryId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('media_') && id.length <= 64;

/** Those of these ids that are in the library. In a transaction they stay there until it ends. */
export async function findUsedMedia(
  { db, businessId, media }: { db: Db | Tx; businessId: string } & MediaServices,
  ids: Iterable<unknown>,
  base = media.storedBase,
): Promise<MediaById> {
  const wanted = [...new Set(ids)].filter(isLibraryId);
  if (wanted.length === 0) return new Map();
  const rows = await ('savepoint' in db
    ? lockMediaForUse(db, businessId, wanted)
    : listMediaByIds(db, businessId, wanted));
  return new Map(rows.map((row) => [row.id, toMedia(row, base)]));
}

type Sent = { id?: string; url?: string; mimeType?: string };

/** The item of the library, or else what was sent. An id alone that is not in the library is an error. */
export function useMedia<T extends Sent>(sent: T, known: MediaById, field: string, errors: FieldError[]): T | Media {
  const item = sent.id === undefined ? undefined : known.get(sent.id);
  if (item) return item;
  if (sent.url === undefined) {
    errors.push(
      sent.id === undefined
        ? {
            field: `${field}.url`,
            error: 'REQUIRED',
            message: `${field}.url is required, or an id of the media library.`,
          }
        : { field: `${field}.id`, error: 'NOT_FOUND', message: `${field}.id names no file of the media library.` },
    );
  }
  return sent;
}

type SentBlock = { type?: unknown; value?: unknown };

/** The items of MEDIA blocks. */
export const mediaIn = (blocks: readonly SentBlock[]): Sent[] =>
  blocks
    .filter(({ type }) => type === 'MEDIA')
    .flatMap(({ value }) => [value].flat() as (Sent | null | undefined)[])
    .filter((item) => item !== null && item !== undefined);

/** The ids that MEDIA blocks name. */
export const mediaIdsIn = (blocks: readonly SentBlock[]) => mediaIn(blocks).map(({ id }) => id);

/** The same blocks with the items of the library in them. */
export const useMediaInBlocks = (blocks: readonly BlockValue[], known: MediaById): BlockValue[] =>
  mapMedia(blocks, (item) => (item.id === undefined ? item : (known.get(item.id) ?? item)));

/** Another item in the place of each one; null takes it out. */
export function mapMedia<T extends SentBlock>(blocks: readonly T[], change: (item: Sent) => Sent | null): T[] {
  return blocks.map((block) => {
    if (block.type !== 'MEDIA' || block.value === null || block.value === undefined) return block;
    if (!Array.isArray(block.value)) return { ...block, value: change(block.value as Sent) };
    return { ...block, value: block.value.map(change).filter((item) => item !== null) };
  });
}

/** What an import knows of files: their ids by address, in the library or to be fetched, and those that are in the library. */
type Adoption = { addresses: ReadonlyMap<string, string> | undefined; media: MediaById };

/** Blocks of a file. An item that the library or the record has stays that; another one is known by its address. */
export function adoptMedia<T extends SentBlock>(
  blocks: readonly T[],
  current: readonly SentBlock[],
  { addresses = new Map(), media }: Adoption,
): T[] {
  const known = new Map(mediaIn(current).map((item) => [item.url, item]));
  return mapMedia(blocks, (item) => {
    if (typeof item?.url !== 'string' || media.has(item.id ?? '')) return item;
    const id = addresses.get(item.url);
    if (id === undefined) return item;
    return known.get(item.url) ?? (media.has(id) ? { id } : { ...item, id });
  });
}

/** Whole addresses of items that an import is to fetch, also of a file that this service serves to another business. */
export const waitingAddresses = (items: readonly Sent[], publicUrl: string): string[] => [
  ...new Set(
    items.flatMap(({ id, url = '' }) => (id?.startsWith('url_') ? [url.startsWith('/') ? publicUrl + url : url] : [])),
  ),
];
