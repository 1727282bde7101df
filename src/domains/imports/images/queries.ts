import type { Db, Tx } from '../../../db/sql.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import type { NamedImage } from '../formats/format.ts';

/** The library files that were fetched from these URLs. */
export async function findAddresses(db: Db, businessId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db<{ addressId: string; mediaId: string }[]>`
    select a.address_id, a.media_id from import_addresses a
    join media m on m.business_id = a.business_id and m.id = a.media_id
    where a.business_id = ${businessId} and a.address_id = any(${ids})`;
  return new Map(rows.map(({ addressId, mediaId }) => [addressId, mediaId]));
}

/** An image that a product or an entry waits for. The column `product_id` refers to either. */
export type NewImage = NamedImage & { addressId: string; recordId: string; url: string };

export async function insertImages(
  tx: Tx,
  businessId: string,
  importId: string,
  images: readonly NewImage[],
): Promise<void> {
  await tx`
    insert into import_pictures (business_id, import_id, address_id, product_id, url, row, alt, details)
    select ${businessId}, ${importId}, p.* from unnest(${images.map(({ addressId }) => addressId)}::text[],
      ${images.map(({ recordId }) => recordId)}::text[], ${images.map(({ url }) => url)}::text[],
      ${images.map(({ row }) => row)}::bigint[], ${images.map(({ alt }) => jsonText(alt))}::jsonb[],
      ${images.map(({ title, focalPoint, fileName, isInGallery }) => jsonText({ title, focalPoint, fileName, isInGallery }))}::jsonb[]) as p
    on conflict do nothing`;
}

export type WaitingAddress = {
  addressId: string;
  url: string;
  importId: string;
  alt: NamedImage['alt'];
  details: Pick<NamedImage, 'title' | 'focalPoint' | 'fileName' | 'isInGallery'>;
};

/** Distinct URLs to fetch, each with one of the records that wait for it. */
export const listWaitingAddresses = (db: Db, businessId: string, limit: number) => db<WaitingAddress[]>`
  select distinct on (address_id) address_id, url, import_id, alt, details from import_pictures
  where business_id = ${businessId} and status = 'WAITING' order by address_id limit ${limit}`;

export const listWaiting = (db: Db, businessId: string, addressId: string, limit: number) => db<
  { importId: string; recordId: string; row: number }[]
>`
  select import_id, product_id as record_id, row from import_pictures
  where business_id = ${businessId} and address_id = ${addressId} and status = 'WAITING' order by product_id limit ${limit}`;

export const markImages = (
  tx: Tx,
  businessId: string,
  addressId: string,
  recordIds: string[],
  status: 'DONE' | 'FAILED',
) => tx`
  update import_pictures set status = ${status}
  where business_id = ${businessId} and address_id = ${addressId} and product_id = any(${recordIds}) and status = 'WAITING'`;

export const saveAddress = (tx: Tx, businessId: string, addressId: string, mediaId: string) => tx`
  insert into import_addresses (business_id, address_id, media_id) values (${businessId}, ${addressId}, ${mediaId})
  on conflict (business_id, address_id) do update set media_id = excluded.media_id`;

export async function countImages(db: Db, businessId: string, importId: string) {
  const [row] = await db<{ waiting: number; fetched: number; failed: number }[]>`
    select count(*) filter (where status = 'WAITING')::int as waiting, count(*) filter (where status = 'DONE')::int as fetched,
      count(*) filter (where status = 'FAILED')::int as failed
    from import_pictures where business_id = ${businessId} and import_id = ${importId}`;
  return row!;
}
