import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { Invitation } from './schemas.ts';
import type { InvitationToken } from './token.ts';

const columns = (db: Db) => db`i.business_id, i.id, i.email, i.role_ids, i.invited_by, i.created_at, i.expires_at`;

/**
 * Whether the invitation has not expired and its sender is still an ADMIN. Otherwise, a removed ADMIN could return, or let others
 * in, through an earlier invitation.
 */
const isOpen = (db: Db, now: number) => db`i.expires_at > ${now} and i.invited_by in (select user_id from admins)`;

/** Precedes a statement with `isOpen`. A separate CTE, because a cluster can't join members with distributed tables. */
const withAdmins = (db: Db, businessId: string) => db`
  with admins as materialized (
    select m.user_id from members m join roles r on r.business_id = m.business_id and r.id = m.role_id
    where m.business_id = ${businessId} and 'ADMIN' = any(r.permissions)
  )`;

const hasToken = (db: Db, { businessId, id, secretHash }: InvitationToken) =>
  db`i.business_id = ${businessId} and i.id = ${id} and i.secret_hash = ${secretHash}`;

/** Replaces an earlier invitation to the same email. */
export async function upsertInvitation(tx: Tx, invitation: Invitation, secretHash: Buffer): Promise<void> {
  await tx`
    insert into invitations ${tx({ ...invitation, emailKey: emailKey(invitation.email), secretHash })}
    on conflict (business_id, email_key) do update set id = excluded.id, email = excluded.email,
      role_ids = excluded.role_ids, secret_hash = excluded.secret_hash, invited_by = excluded.invited_by,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

export async function findInvitation(db: Db, token: InvitationToken, now: number): Promise<Invitation | null> {
  const [row] = await db<Invitation[]>`
    ${withAdmins(db, token.businessId)}
    select ${columns(db)} from invitations i where ${hasToken(db, token)} and ${isOpen(db, now)}`;
  return row ?? null;
}

/** Deletes the invitation, so that only one of two concurrent uses of a token succeeds. */
export async function claimInvitationRow(tx: Tx, token: InvitationToken, now: number): Promise<Invitation | null> {
  const [row] = await tx<Invitation[]>`
    ${withAdmins(tx, token.businessId)}
    delete from invitations i where ${hasToken(tx, token)} and ${isOpen(tx, now)} returning ${columns(tx)}`;
  return row ?? null;
}

/** Newest first. */
export const listInvitationRows = (db: Db, businessId: string, now: number, after: string | null, limit: number) =>
  db<Invitation[]>`
    ${withAdmins(db, businessId)}
    select ${columns(db)} from invitations i
    where i.business_id = ${businessId} and (${after}::text is null or i.id < ${after}) and ${isOpen(db, now)}
    order by i.id desc limit ${limit}`;

/** Returns the deleted invitation, or null if there was none. */
export async function deleteInvitationRow(tx: Tx, businessId: string, id: string): Promise<Invitation | null> {
  const [row] = await tx<Invitation[]>`
    delete from invitations i where business_id = ${businessId} and id = ${id} returning ${columns(tx)}`;
  return row ?? null;
}

export async function deleteExpiredInvitations(tx: Tx, businessId: string, now: number): Promise<void> {
  await tx`delete from invitations where business_id = ${businessId} and expires_at <= ${now}`;
}
