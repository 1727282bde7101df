import type { Db, Fragment, Tx } from '../../db/sql.ts';
import type { CreatedFile, FocalPoint } from '../../providers/images/port.ts';
import { foldText } from '../../shared/text/text.ts';
import type { Alt } from './schemas.ts';
import type { Kind } from './uploads/file-types.ts';

export type SizedFile = Pick<CreatedFile, 'size' | 'extension' | 'width' | 'height' | 'bytes'>;

type Details = {
  width?: number;
  height?: number;
  blurhash?: string;
  /** The available sizes of an image. */
  files: SizedFile[];
  focalPoint: FocalPoint;
  title: string;
  alt: Alt;
};

export type MediaRow = {
  businessId: string;
  id: string;
  stem: string;
  hash: string;
  kind: Kind;
  /** The type of the uploaded file. */
  mimeType: string;
  extension: string;
  fileName: string;
  size: number;
  details: Details;
  version: number;
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
};

const COLUMNS = `business_id, id, stem, hash, kind, mime_type, extension, file_name, size, details, version, created_by,
  created_at, updated_at`;

export async function findMedia(db: Db, businessId: string, id: string): Promise<MediaRow | null> {
  const [row] = await db<MediaRow[]>`
    select ${db.text(COLUMNS)} from media where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockMedia(tx: Tx, businessId: string, id: string): Promise<MediaRow | null> {
  const [row] = await tx<MediaRow[]>`
    select ${tx.text(COLUMNS)} from media where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export const listMediaByIds = (db: Db, businessId: string, ids: readonly string[]) => db<MediaRow[]>`
  select ${db.text(COLUMNS)} from media where business_id = ${businessId} and id = any(${ids as string[]}) order by id`;

/** The same, locked against deletion until the transaction ends. */
export const lockMediaForUse = (tx: Tx, businessId: string, ids: readonly string[]) => tx<MediaRow[]>`
  select ${tx.text(COLUMNS)} from media where business_id = ${businessId} and id = any(${ids as string[]}) order by id
  for key share`;

export async function findMediaByHash(db: Db, businessId: string, hash: string): Promise<MediaRow | null> {
  const [row] = await db<MediaRow[]>`
    select ${db.text(COLUMNS)} from media where business_id = ${businessId} and hash = ${hash}`;
  return row ?? null;
}

/** Returns false if an item with this content exists. */
export async function insertMedia(tx: Tx, row: MediaRow): Promise<boolean> {
  const rows = await tx`
    insert into media (business_id, id, stem, hash, kind, mime_type, extension, file_name, size, details, words, version,
      created_by, created_at, updated_at)
    values (${row.businessId}, ${row.id}, ${row.stem}, ${row.hash}, ${row.kind}, ${row.mimeType}, ${row.extension},
      ${row.fileName}, ${row.size}, ${tx.json(row.details)}, ${vector(tx, row)}, ${row.version}, ${row.createdBy},
      ${row.createdAt}, ${row.updatedAt})
    on conflict do nothing
    returning id`;
  return rows.length > 0;
}

export async function updateMedia(tx: Tx, row: MediaRow): Promise<void> {
  await tx`
    update media set details = ${tx.json(row.details)}, words = ${vector(tx, row)}, version = ${row.version},
      updated_at = ${row.updatedAt}
    where business_id = ${row.businessId} and id = ${row.id}`;
}

export async function deleteMediaRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from media where business_id = ${businessId} and id = ${id}`;
}

type MediaList = { kind: Kind | null; words: string[]; beforeId: string | null; limit: number };

/** Newest first. */
export const listMedia = (db: Db, businessId: string, { kind, words, beforeId, limit }: MediaList) => db<MediaRow[]>`
  select ${db.text(COLUMNS)} from media
  where business_id = ${businessId}
    ${kind === null ? db`` : db`and kind = ${kind}`}
    ${words.length === 0 ? db`` : db`and words @@ ${prefixQuery(words)}::tsquery`}
    ${beforeId === null ? db`` : db`and id < ${beforeId}`}
  order by id desc limit ${limit}`;

/** The words of the text, case-folded and without accents. */
export const wordsOf = (text: string) =>
  foldText(text)
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, 200) ?? [];

const prefixQuery = (words: readonly string[]) => words.map((word) => `'${word}':*`).join(' & ');

function vector(tx: Tx, { fileName, details: { title, alt } }: MediaRow) {
  const texts = [fileName, title, ...(typeof alt === 'string' ? [alt] : Object.values(alt))];
  const words = [...new Set(wordsOf(texts.join(' ')).map((word) => word.slice(0, 100)))];
  return tx`array_to_tsvector(${words}::text[])`;
}

/**
 * Adds to the storage used by the business. Returns false if that would exceed `quota`; a negative amount always
 * succeeds.
 */
export async function addUsage(tx: Tx, businessId: string, bytes: number, quota: number): Promise<boolean> {
  if (bytes > quota) return false;
  const rows = await tx`
    insert into media_usage as used (business_id, bytes) values (${businessId}, ${Math.max(bytes, 0)})
    on conflict (business_id) do update set bytes = greatest(used.bytes + ${bytes}, 0)
      where ${bytes}::bigint <= 0 or used.bytes + ${bytes} <= ${quota}
    returning 1`;
  return rows.length > 0;
}

export async function findUsage(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`select bytes from media_usage where business_id = ${businessId}`;
  return row?.bytes ?? 0;
}

/** Deletes the references of the entities that the query returns. */
export const deleteReferences = (tx: Tx, businessId: string, entities: Fragment) => tx`
  delete from media_references where business_id = ${businessId} and entity = any(array(${entities}))`;

/** Sets the files that the entity uses. */
export async function saveReferences(
  tx: Tx,
  businessId: string,
  entity: string,
  ids: readonly string[],
): Promise<void> {
  await tx`
    with gone as (
      delete from media_references where business_id = ${businessId} and entity = ${entity}
        and not media_id = any(${ids as string[]})
    )
    insert into media_references (business_id, media_id, entity)
    select ${businessId}, id, ${entity} from unnest(${ids as string[]}::text[]) as used (id)
    on conflict do nothing`;
}

export async function listEntitiesUsing(db: Db, businessId: string, mediaId: string, limit: number): Promise<string[]> {
  const rows = await db<{ entity: string }[]>`
    select entity from media_references where business_id = ${businessId} and media_id = ${mediaId}
    order by entity limit ${limit}`;
  return rows.map(({ entity }) => entity);
}

export async function existingMedia(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from media where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map(({ id }) => id);
}

/** The stems among these that belong to files of the business. */
export async function existingStems(db: Db, businessId: string, stems: readonly string[]): Promise<string[]> {
  const rows = await db<{ stem: string }[]>`
    select stem from media where business_id = ${businessId} and stem = any(${stems as string[]})`;
  return rows.map(({ stem }) => stem);
}

/** Files of all businesses, by primary key. */
export const listAllMedia = (db: Db, [businessId, id]: readonly [string, string], limit: number) => db<
  (MediaRow & { isMissing: boolean })[]
>`
  select ${db.text(COLUMNS)}, is_missing from media where (business_id, id) > (${businessId}, ${id})
  order by business_id, id limit ${limit}`;

export async function markMissing(tx: Tx, businessId: string, id: string, isMissing: boolean): Promise<void> {
  await tx`update media set is_missing = ${isMissing} where business_id = ${businessId} and id = ${id}`;
}
