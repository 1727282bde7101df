import type { Db, Fragment, Statement, Tx } from '../../db/sql.ts';

export type VersionAction = 'CREATED' | 'UPDATED' | 'DRAFT_SAVED' | 'PUBLISHED' | 'RESTORED';
export type VersionedEntity = `entry:${string}` | `product:${string}`;

/** Null: the service. `keyId`: of the API key that it was done with. */
export type Author = { userId: string | null; keyId?: string | null };

/** What is noted of a change beside the record that it makes. */
export type NewVersion = Author & {
  businessId: string;
  entity: VersionedEntity;
  action: VersionAction;
  restoredFrom?: number | undefined;
  changed: readonly string[];
  now: number;
  /** How many are kept. */
  keep: number;
  /** The record before the change. */
  former: { number: number; userId: string | null; createdAt: number };
  /** Given: the change makes a draft, and leaves the record as it is. */
  draft?: { doc: string; words: readonly string[] | null };
};

const TABLES = { entry: 'entries', product: 'products' } as const;

/**
 * Runs `update`, which changes the record and raises its version, and writes that version, in one round trip; deletes the oldest
 * beyond what is kept, never the draft there is. Statements of their own: on a cluster the parts of one statement run one after
 * the other there, and see what those before them have changed.
 */
export async function withVersion<Rows>(tx: Tx, version: NewVersion | null, update: Statement<Rows>): Promise<Rows> {
  if (version === null) return update;
  const { businessId, entity, former, draft, now } = version;
  const [kind, id] = entity.split(':', 2) as [keyof typeof TABLES, string];
  const own = tx`business_id = ${businessId} and entity = ${entity}`;
  const record = tx`from ${tx(TABLES[kind])} where business_id = ${businessId} and id = ${id}`;
  const [, rows] = await Promise.all([
    tx`
      insert into versions (business_id, entity, number, is_draft, action, user_id, changed, doc, created_at)
      select business_id, ${entity}, version, false, 'CREATED', ${former.userId}, '[]',
        doc, ${former.createdAt}::bigint
      ${record} and not exists (select from versions where ${own})`,
    update,
    tx`
      insert into versions (business_id, entity, number, is_draft, action, restored_from, user_id, key_id, changed, doc, words, created_at)
      select business_id, ${entity}, version, ${draft !== undefined}, ${version.action}, ${version.restoredFrom ?? null}::int,
        ${version.userId}, ${version.keyId ?? null}, ${JSON.stringify(version.changed)}, ${draft ? tx`${draft.doc}` : tx`doc`},
        ${(draft?.words as string[]) ?? null}::text[], ${now}::bigint
      ${record}`,
    ...(former.number < version.keep ? [] : [pruneVersions(tx, own, version.keep)]),
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
  changed: string;
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

export type StoredVersion = VersionRow & { doc: string };

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

/** The one that is compared with when none is named: the last before it, of what was public the last that was public. */
export async function findFormerVersion(
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

export type DraftRow = {
  number: number;
  doc: string;
  words: string[] | null;
  createdAt: number;
  userId: string | null;
};

/** The newest draft. Whether the record has one still is the record's to say. */
export async function findDraft(db: Db, businessId: string, entity: VersionedEntity): Promise<DraftRow | null> {
  const [row] = await db<DraftRow[]>`
    select number, doc, words, created_at, user_id from versions
    where business_id = ${businessId} and entity = ${entity} and is_draft order by number desc limit 1`;
  return row ?? null;
}

/** The files that a draft carries follow the library; no other version ever changes. */
export async function updateDraftDocument(
  { db: tx, businessId }: { db: Tx; businessId: string },
  entity: VersionedEntity,
  number: number,
  doc: string,
): Promise<void> {
  await tx`
    update versions set doc = ${doc}
    where business_id = ${businessId} and entity = ${entity} and number = ${number} and is_draft`;
}

/** Of records that are deleted. */
export async function deleteVersions(tx: Tx, businessId: string, entities: readonly string[]): Promise<void> {
  await tx`delete from versions where business_id = ${businessId} and entity = any(${entities as string[]})`;
  await tx`delete from planned where business_id = ${businessId} and entity = any(${entities as string[]})`;
}
