import type { Db, Tx } from '../../../db/sql.ts';
import type { ReleaseStatus } from '../schemas.ts';

export type Failure = { item: string | null; message: string };
export type ReleaseRow = {
  businessId: string;
  id: string;
  name: string;
  status: ReleaseStatus;
  at: number;
  /** `entry:ent_…` */
  items: string[];
  userId: string | null;
  failure: Failure | null;
  publishedAt: number | null;
  version: number;
  createdAt: number;
  updatedAt: number;
};
export type ListedReleaseRow = Omit<ReleaseRow, 'items'> & { itemCount: number };

const COLUMNS = 'business_id, id, name, status, at, user_id, failure, published_at, version, created_at, updated_at';

export async function findRelease(db: Db, businessId: string, id: string): Promise<ReleaseRow | null> {
  const [row] = await db<ReleaseRow[]>`
    select ${db.text(COLUMNS)}, items from releases where business_id = ${businessId} and id = ${id}`;
  return row ?? null;
}

export async function lockRelease(tx: Tx, businessId: string, id: string): Promise<ReleaseRow | null> {
  const [row] = await tx<ReleaseRow[]>`
    select ${tx.text(COLUMNS)}, items from releases where business_id = ${businessId} and id = ${id} for update`;
  return row ?? null;
}

/** Newest first. */
export const listReleaseRows = (
  db: Db,
  businessId: string,
  { status, after, limit }: { status?: string; after: readonly [number, string] | null; limit: number },
) => db<ListedReleaseRow[]>`
  select ${db.text(COLUMNS)}, cardinality(items) as item_count from releases
  where business_id = ${businessId}
    ${status === undefined ? db`` : db`and status = ${status}`}
    ${after ? db`and (created_at, id) < (${after[0]}, ${after[1]})` : db``}
  order by created_at desc, id desc limit ${limit}`;

export async function insertRelease(tx: Tx, release: ReleaseRow): Promise<void> {
  await tx`insert into releases ${tx({ ...release, failure: release.failure && tx.json(release.failure) })}`;
}

export async function updateRelease(tx: Tx, release: ReleaseRow): Promise<void> {
  const { businessId, id, name, status, at, items, failure, publishedAt, updatedAt } = release;
  await tx`
    update releases set name = ${name}, status = ${status}, at = ${at}, items = ${items}, failure = ${failure && tx.json(failure)},
      published_at = ${publishedAt}, updated_at = ${updatedAt}, version = version + 1
    where business_id = ${businessId} and id = ${id}`;
}
