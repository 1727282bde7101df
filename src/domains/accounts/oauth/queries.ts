import type { Db, Tx } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/email.ts';
import { type CredentialRow, credentials } from '../passwords/queries.ts';

export type FlowRow = {
  stateHash: Buffer;
  origin: string;
  redirectUrl: string;
  address: string;
  /** State, nonce and PKCE verifier. */
  sealed: string;
  createdAt: number;
  expiresAt: number;
};

export async function insertFlow(tx: Tx, flow: FlowRow): Promise<void> {
  await tx`insert into oauth_flows ${tx(flow)}`;
}

/** Takes the flow out: whatever comes of it, it cannot be used again. */
export async function claimFlow(tx: Tx, stateHash: Buffer, nowSeconds: number): Promise<FlowRow | null> {
  const [row] = await tx<FlowRow[]>`
    delete from oauth_flows where state_hash = ${stateHash} and expires_at > ${nowSeconds} returning *`;
  return row ?? null;
}

/** For clients that do not send the state back: the newest flow that was begun from the same address for the same site. */
export async function claimLatestFlow(
  tx: Tx,
  origin: string,
  address: string,
  nowSeconds: number,
): Promise<FlowRow | null> {
  const [row] = await tx<FlowRow[]>`delete from oauth_flows where state_hash = (
      select state_hash from oauth_flows
      where origin = ${origin} and address = ${address} and expires_at > ${nowSeconds}
      order by created_at desc, state_hash limit 1 for update skip locked)
    returning *`;
  return row ?? null;
}

export async function deleteExpiredFlows(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from oauth_flows where expires_at <= ${nowSeconds}`;
}

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<CredentialRow | null> {
  const [row] = await db<CredentialRow[]>`
    select ${credentials(db)} from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row ?? null;
}

export type IdentityRow = { issuer: string; subject: string; userId: string; createdAt: number };

/** Nothing happens when it is there already. */
export async function insertIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx`insert into identities ${tx(identity)} on conflict do nothing`;
}

/** Nothing happens when the e-mail is taken. */
export async function insertConfirmedUser(
  tx: Tx,
  user: { id: string; email: string; name: string; createdAt: number },
): Promise<void> {
  const { id, email, name, createdAt } = user;
  await tx`insert into users (id, email, email_key, name, is_confirmed, created_at, updated_at)
    values (${id}, ${email}, ${emailKey(email)}, ${name}, true, ${createdAt}, ${createdAt})
    on conflict (email_key) do nothing`;
}

/** The user must exist. */
export async function lockByEmail(tx: Tx, email: string): Promise<CredentialRow> {
  const [row] = await tx<CredentialRow[]>`
    select ${credentials(tx)} from users u where u.email_key = ${emailKey(email)} for update`;
  return row!;
}
