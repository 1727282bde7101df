import type { Db, Tx } from '../../../db/sql.ts';
import type { UPLOAD_STATUSES } from '../schemas.ts';

export type UploadRow = {
  businessId: string;
  id: string;
  status: (typeof UPLOAD_STATUSES)[number];
  fileName: string;
  size: number;
  partSize: number;
  /** Clients send parts directly to the store. */
  isDirect: boolean;
  mediaId: string | null;
  problem: string | null;
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
};

const COLUMNS = `business_id, id, status, file_name, size, part_size, is_direct, media_id, problem, created_by, created_at,
  updated_at`;

export async function insertUpload(tx: Tx, row: UploadRow): Promise<void> {
  await tx`
    insert into media_uploads (business_id, id, status, file_name, size, part_size, is_direct, created_by, created_at, updated_at)
    values (${row.businessId}, ${row.id}, ${row.status}, ${row.fileName}, ${row.size}, ${row.partSize}, ${row.isDirect},
      ${row.createdBy}, ${row.createdAt}, ${row.updatedAt})`;
}

export async function findUpload(db: Db, businessId: string, id: string): Promise<UploadRow | null> {
  const [row] = await db<UploadRow[]>`
    select ${db.text(COLUMNS)} from media_uploads where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockUpload(tx: Tx, businessId: string, id: string): Promise<UploadRow | null> {
  const [row] = await tx<UploadRow[]>`
    select ${tx.text(COLUMNS)} from media_uploads where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

export async function updateUpload(
  tx: Tx,
  { businessId, id, status, mediaId, problem, updatedAt }: UploadRow,
): Promise<void> {
  await tx`
    update media_uploads set status = ${status}, media_id = ${mediaId}, problem = ${problem}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}`;
}

export async function deleteUploadRow(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx`delete from media_uploads where business_id = ${businessId} and id = ${id}`;
}

/** Uploads of all businesses that were created earlier and are not being checked. */
export const listStaleUploads = (db: Db, beforeSeconds: number, limit: number) => db<UploadRow[]>`
  select ${db.text(COLUMNS)} from media_uploads
  where created_at < ${beforeSeconds} and status <> 'CHECKING' order by business_id, id limit ${limit}`;

/** The uploads among these that still exist. */
export async function existingUploads(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from media_uploads where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map(({ id }) => id);
}
