import type { Db, Fragment, Statement, Tx } from '../../db/sql.ts';

export type VersionAction = 'CREATED' | 'UPDATED' | 'DRAFT_SAVED' | 'PUBLISHED' | 'RESTORED';
type VersionedEntity = `entry:${string}` | `product:${string}`;

/** A null `userId` is the system. `keyId` is the API key used. */
export type Author = { userId: string | null; keyId?: string | null };

/** A version to store with the changed record. */
export type NewVersion = Author & {
  businessId: string;
  entity: VersionedEntity;
  action: VersionAction;
  restoredFrom?: number | undefined;
  changed: readonly string[];
  now: number;
  /** Number of versions to keep. */
  keep: number;
  /** The record before the change. */
  previous: { number: number; userId: string | null; createdAt: number };
  /** Set if the version is a draft; the public content is not changed. */
  draft?: { doc: object; words: readonly string[] | null };
};

const TABLES = { entry: 'entries', product: 'products' } as const;

/**
 * Runs `update`, which changes the record and increments its version, and stores that version in the same round trip. Then
 * deletes the oldest versions beyond the limit, but never the current draft. These are separate statements because on a cluster
 * the parts of a single statement run one after another and see each other's changes.
 */
export async function withVersion<Rows>(tx: Tx, version: NewVersion | null, update: Statement<Rows>): Promise<Rows> {
  if (version === null) return update;
  const { businessId, entity, previous, draft, now } = version;
  const [kind, id] = entity.split(':', 2) as [keyof typeof TABLES, string];
  const own = tx`business_id = ${businessId} and entity = ${entity}`;
  const record = tx`from ${tx(TABLES[kind])} where business_id = ${businessId} and id = ${id}`;
  const [, rows] = await Promise.all([
    tx`
      insert into versions (business_id, entity, number, is_draft, action, user_id, changed, doc, created_at)
      select business_id, ${entity}, version, false, 'CREATED', ${previous.userId}, '[]',
        doc, ${previous.createdAt}::bigint
      ${record} and not exists (select from versions where ${own})`,
    update,
    tx`
      insert into versions (business_id, entity, number, is_draft, action, restored_from, user_id, key_id, changed, doc, words, created_at)
      select business_id, ${entity}, version, ${draft !== undefined}, ${version.action}, ${version.restoredFrom ?? null}::int,
        ${version.userId}, ${version.keyId ?? null}, ${tx.json(version.changed)}::jsonb, ${draft ? tx`${tx.json(draft.doc)}::jsonb` : tx`doc`},
        ${(draft?.words as string[]) ?? null}::text[], ${now}::bigint
      ${record}`,
    ...(previous.number < version.keep ? [] : [pruneVersions(tx, own, version.keep)]),
  ]);
  return rows;
}

const pruneVersions = (tx: Tx, own: Fragment, keep: number) => tx`
  delete from versions where ${own}
    and number <= (select number from versions where ${own} order by number desc offset ${keep} limit 1)
    and number is distinct from (select max(number) from versions where ${own} and is_draft)`;

export type VersionRow = {
  number: number;
  isDraft: boolean;
  action: VersionAction;
  restoredFrom: number | null;
  userId: string | null;
  keyId: string | null;
  changed: string[];
  createdAt: number;
};

/** Newest first, without documents. */
export const listVersionRows = (
  db: Db,
  businessId: string,
  entity: string,
  { before, limit }: { before: number | null; limit: number },
) => db<VersionRow[]>`
  select number, is_draft, action, restored_from, user_id, key_id, changed, created_at from versions
  where business_id = ${businessId} and entity = ${entity} and (${before}::int is null or number < ${before})
  order by number desc limit ${limit}`;

type StoredVersion = VersionRow & { doc: object };

export async function findVersion(
  db: Db,
  businessId: string,
  entity: string,
  number: number,
): Promise<StoredVersion | null> {
  const [row] = await db<StoredVersion[]>`
    select number, is_draft, action, restored_from, user_id, key_id, changed, created_at, doc from versions
    where business_id = ${businessId} and entity = ${entity} and number = ${number}`;
  return row ?? null;
}

/** The default version to compare with: the previous one or, for a published version, the previous published one. */
export async function findPreviousVersion(
  db: Db,
  businessId: string,
  entity: string,
  { number, isDraft }: { number: number; isDraft: boolean },
): Promise<StoredVersion | null> {
  const [row] = await db<StoredVersion[]>`
    select number, is_draft, action, restored_from, user_id, key_id, changed, created_at, doc from versions
    where business_id = ${businessId} and entity = ${entity} and number < ${number} and (${isDraft} or not is_draft)
    order by number desc limit 1`;
  return row ?? null;
}

type DraftRow = { number: number; doc: object; words: string[] | null };

/** The newest draft. Whether it is still current is stored in the record only. */
export async function findDraft(db: Db, businessId: string, entity: VersionedEntity): Promise<DraftRow | null> {
  const [row] = await db<DraftRow[]>`
    select number, doc, words from versions
    where business_id = ${businessId} and entity = ${entity} and is_draft order by number desc limit 1`;
  return row ?? null;
}

/** Drafts are updated when their media files change. All other versions are immutable. */
export async function updateDraftDocument(
  { db: tx, businessId }: { db: Tx; businessId: string },
  entity: VersionedEntity,
  number: number,
  doc: object,
): Promise<void> {
  await tx`
    update versions set doc = ${tx.json(doc)}
    where business_id = ${businessId} and entity = ${entity} and number = ${number} and is_draft`;
}

/** Called when records are deleted. */
export async function deleteVersions(tx: Tx, businessId: string, entities: readonly string[]): Promise<void> {
  await tx`delete from versions where business_id = ${businessId} and entity = any(${entities as string[]})`;
  await tx`delete from planned where business_id = ${businessId} and entity = any(${entities as string[]})`;
}
