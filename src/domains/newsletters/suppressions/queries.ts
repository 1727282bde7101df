import type { Db, Tx } from '../../../db/sql.ts';
import type { MailEvent } from '../../../providers/mail-events/port.ts';
import { emailKey } from '../../../shared/text/email.ts';

export const SUPPRESSION_REASONS = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export type SuppressionRow = {
  businessId: string;
  id: string;
  email: string;
  emailKey: string;
  reason: SuppressionReason;
  detail: string;
  provider: string | null;
  createdAt: number;
};

const columns = (db: Db) => db`business_id, id, email, email_key, reason, detail, provider, created_at`;

/** An SQL condition on a table with `business_id` and `email_key`. */
export const isSuppressed = (db: Db, table: string) => db`exists (
  select 1 from suppressions x
  where x.business_id = ${db(table)}.business_id and x.email_key = ${db(table)}.email_key and x.removed_at is null)`;

/**
 * Returns null if it changes nothing: the address is already suppressed, or the suppression was removed after `atSeconds`. A
 * complaint replaces another reason.
 */
export async function upsertSuppression(
  tx: Tx,
  row: SuppressionRow,
  atSeconds: number,
): Promise<SuppressionRow | null> {
  const { businessId, id, email, emailKey, reason, detail, provider, createdAt } = row;
  const [written] = await tx<SuppressionRow[]>`
    insert into suppressions as s (${columns(tx)})
    values (${businessId}, ${id}, ${email}, ${emailKey}, ${reason}, ${detail}, ${provider}, ${createdAt})
    on conflict (business_id, email_key) do update set
      reason = excluded.reason, detail = excluded.detail, provider = excluded.provider, created_at = excluded.created_at,
      removed_at = null
    where case when s.removed_at is null then excluded.reason = 'COMPLAINT' and s.reason <> 'COMPLAINT'
      else s.removed_at <= ${atSeconds} end
    returning ${columns(tx)}`;
  return written ?? null;
}

/** `key` is the ID or the email in lower case. */
export async function findSuppression(db: Db, businessId: string, key: string): Promise<SuppressionRow | null> {
  const [row] = await db<SuppressionRow[]>`
    select ${columns(db)} from suppressions
    where business_id = ${businessId} and (id = ${key} or email_key = ${key}) and removed_at is null`;
  return row ?? null;
}

/** Returns false if it was already removed. */
export async function removeSuppression(tx: Tx, { businessId, id }: SuppressionRow, nowSeconds: number) {
  const rows = await tx`
    update suppressions set removed_at = ${nowSeconds}
    where business_id = ${businessId} and id = ${id} and removed_at is null returning id`;
  return rows.length > 0;
}

/** Newest first. */
export const listSuppressions = (
  db: Db,
  businessId: string,
  { email, reason }: { email: string | undefined; reason: string | undefined },
  before: string | null,
  limit: number,
) => db<SuppressionRow[]>`
  select ${columns(db)} from suppressions
  where business_id = ${businessId} and removed_at is null
    ${before === null ? db`` : db`and id < ${before}`}
    ${email === undefined ? db`` : db`and strpos(email_key, ${email}) > 0`}
    ${reason === undefined ? db`` : db`and reason = ${reason}`}
  order by id desc limit ${limit}`;

/** The keys of these addresses that are suppressed. */
export async function findSuppressed(
  db: Db,
  businessId: string,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db<{ emailKey: string }[]>`
    select email_key from suppressions
    where business_id = ${businessId} and email_key = any(${emails.map(emailKey)}) and removed_at is null`;
  return new Set(rows.map((row) => row.emailKey));
}

/** In the order of their IDs, starting after the given ID. */
export const listSuppressionsForExport = (db: Db, businessId: string, after: string, limit: number) =>
  db<SuppressionRow[]>`
    select ${columns(db)} from suppressions
    where business_id = ${businessId} and removed_at is null and id > ${after} order by id limit ${limit}`;

/** Returns false if the event was handled before. */
export async function insertMailEvent(
  tx: Tx,
  businessId: string,
  provider: string,
  { id }: MailEvent,
  nowSeconds: number,
): Promise<boolean> {
  const rows = await tx`
    insert into mail_events (business_id, provider, id, created_at)
    values (${businessId}, ${provider}, ${id}, ${nowSeconds})
    on conflict do nothing returning id`;
  return rows.length > 0;
}

const DAY_SECONDS = 86_400;

/** Counts the days with a temporary failure, including this one. */
export async function countSoftBounce(tx: Tx, businessId: string, emailKey: string, atSeconds: number) {
  await tx`
    insert into soft_bounce_days as d (business_id, email_key, day, last_at)
    values (${businessId}, ${emailKey}, ${Math.floor(atSeconds / DAY_SECONDS)}, ${atSeconds})
    on conflict (business_id, email_key, day) do update set last_at = greatest(d.last_at, excluded.last_at)`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from soft_bounce_days where business_id = ${businessId} and email_key = ${emailKey}`;
  return row!.count;
}

/** Only later failures still count after a delivery. */
export async function clearSoftBounces(tx: Tx, businessId: string, emailKey: string, atSeconds: number): Promise<void> {
  await tx`
    delete from soft_bounce_days
    where business_id = ${businessId} and email_key = ${emailKey} and last_at <= ${atSeconds}`;
}

/** Deletes a few on each call, so that no sweep is needed. */
export async function deleteOldMailEvents(tx: Tx, businessId: string, beforeSeconds: number): Promise<void> {
  await tx`
    delete from mail_events where business_id = ${businessId} and (provider, id) in (
      select provider, id from mail_events where business_id = ${businessId} and created_at < ${beforeSeconds} limit 100)`;
}

/** An address works again once its owner has confirmed by email. Complaints and manual suppressions are kept. */
export async function removeBounce(tx: Tx, businessId: string, emailKey: string, nowSeconds: number): Promise<void> {
  await tx`
    update suppressions set removed_at = ${nowSeconds}
    where business_id = ${businessId} and email_key = ${emailKey} and reason = 'BOUNCE' and removed_at is null`;
}

export const listSuppressionsOf = (db: Db, businessId: string, emails: readonly string[]) => db<SuppressionRow[]>`
  select ${columns(db)} from suppressions
  where business_id = ${businessId} and email_key = any(${emails as string[]}) order by id`;

/** Deletes bounces and removed suppressions. Returns how many others are kept. */
export async function eraseSuppressions(tx: Tx, businessId: string, emails: readonly string[]) {
  await tx`delete from soft_bounces where business_id = ${businessId} and email_key = any(${emails as string[]})`;
  const erased = await tx<{ id: string }[]>`
    delete from suppressions
    where business_id = ${businessId} and email_key = any(${emails as string[]})
      and (reason = 'BOUNCE' or removed_at is not null)
    returning id`;
  return { erased: erased.length, kept: (await listSuppressionsOf(tx, businessId, emails)).length };
}

export async function listSuppressingBusinesses(db: Db, businessIds: readonly string[], emails: readonly string[]) {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from suppressions
    where business_id = any(${businessIds as string[]}) and email_key = any(${emails as string[]})`;
  return rows.map((row) => row.businessId);
}
