import type { Db, Tx } from '../../../db/sql.ts';
import type { ScimUserRow } from '../scim/queries.ts';

export async function findSessionCreatedAt(db: Db, sessionId: string): Promise<number | null> {
  const [row] = await db<{ createdAt: number }[]>`select created_at from sessions where id = ${sessionId}`;
  return row?.createdAt ?? null;
}

/** Whether the user has acted as a member of any business. Roles that were only assigned don't count. */
export async function isActiveMember(db: Db, userId: string): Promise<boolean> {
  return (await db`select from members where user_id = ${userId} and used_at is not null limit 1`).length > 0;
}

export async function listMemberships(db: Db, userId: string): Promise<string[]> {
  const rows = await db<{ businessId: string }[]>`
    select distinct business_id from members where user_id = ${userId} order by business_id`;
  return rows.map((row) => row.businessId);
}

/** The tokens are encrypted. */
export async function listIdpTokens(db: Db, userId: string): Promise<string[]> {
  const rows = await db<{ idpTokens: string }[]>`
    select idp_tokens from sessions where user_id = ${userId} and idp_tokens is not null`;
  return rows.map((row) => row.idpTokens);
}

export async function deleteUserRow(
  tx: Tx,
  id: string,
): Promise<{ email: string | null; isConfirmed: boolean } | null> {
  const [row] = await tx<{ email: string | null; isConfirmed: boolean }[]>`
    delete from users where id = ${id} returning email, is_confirmed`;
  return row ?? null;
}

/** Keeps only the `user.deleted` event, without its IP address. */
export async function deleteAccountEvents(tx: Tx, userId: string): Promise<void> {
  await tx`delete from account_events where user_id = ${userId} and type <> 'user.deleted'`;
  await tx`update account_events set address = '' where user_id = ${userId}`;
}

/** Lists the user's identities with the service's identity provider and with the identity providers of businesses. */
export const listIdentities = (db: Db, userId: string) => db<{ issuer: string; subject: string; createdAt: number }[]>`
  select issuer, subject, created_at from identities where user_id = ${userId}
  union all
  select c.issuer, i.subject, i.created_at
  from sso_identities i join sso_connections c on c.business_id = i.business_id where i.user_id = ${userId}
  order by issuer`;

/** Lists what the identity providers of businesses have stored about the user. */
export const listScimRecords = (db: Db, userId: string) => db<Omit<ScimUserRow, 'userId'>[]>`
  select business_id, user_name, external_id, given_name, family_name, is_active, created_at, updated_at
  from scim_users where user_id = ${userId} order by business_id`;
