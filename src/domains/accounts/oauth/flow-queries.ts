import type { Db, Tx } from '../../../db/sql.ts';

type FlowRow = {
  stateHash: Buffer;
  nonceHash: Buffer;
  origin: string;
  redirectUrl: string;
  address: string;
  /** The business whose single sign-on this is. Null for the identity provider of the service. */
  ssoBusiness: string | null;
  createdAt: number;
  expiresAt: number;
};

/** A redirect URL's `last_used_at` is updated at most this often. */
const REDIRECT_SECONDS = 3600;

export async function insertFlow(tx: Tx, flow: FlowRow): Promise<void> {
  await tx`insert into oauth_flows ${tx(flow)}`;
}

/** `kind`: `SSO` for the single sign-on of any business, null for the service's identity provider. */
export async function findFlow(
  db: Db,
  stateHash: Buffer,
  kind: 'SSO' | null,
  nowSeconds: number,
): Promise<FlowRow | null> {
  const [row] = await db<FlowRow[]>`
    select * from oauth_flows where state_hash = ${stateHash} and expires_at > ${nowSeconds}
      and (sso_business is not null) = ${kind === 'SSO'}`;
  return row ?? null;
}

/**
 * The redirect URL of a login whose client sends no `state`. Prefers open flows from the same IP address, then redirect URLs
 * that have completed a login before. Anyone can start a flow, so an unused redirect URL ranks last.
 */
export async function findRedirect(
  db: Db,
  origin: string,
  address: string,
  nowSeconds: number,
): Promise<string | null> {
  const [row] = await db<{ redirectUrl: string }[]>`
    select f.redirect_url from oauth_flows f
      left join oauth_redirects r on r.origin = f.origin and r.redirect_url = f.redirect_url
    where f.origin = ${origin} and f.sso_business is null and f.expires_at > ${nowSeconds}
    order by f.address <> ${address}, r.last_used_at desc nulls last, f.created_at desc, f.state_hash limit 1`;
  return row?.redirectUrl ?? null;
}

/** Deletes the flow so that it can't be used again. Returns null if no open flow of this origin has this nonce. */
export async function claimFlow(
  tx: Tx,
  flow: { nonceHash: Buffer; stateHash: Buffer | null; origin: string; ssoBusiness?: string },
  nowSeconds: number,
): Promise<FlowRow | null> {
  const { nonceHash, stateHash, origin, ssoBusiness = null } = flow;
  const [row] = await tx<FlowRow[]>`
    delete from oauth_flows where nonce_hash = ${nonceHash} and origin = ${origin} and expires_at > ${nowSeconds}
      and (${stateHash}::bytea is null or state_hash = ${stateHash}) and sso_business is not distinct from ${ssoBusiness}
    returning *`;
  return row ?? null;
}

export async function upsertRedirect(tx: Tx, { origin, redirectUrl }: FlowRow, nowSeconds: number): Promise<void> {
  await tx`insert into oauth_redirects as r (origin, redirect_url, last_used_at)
    values (${origin}, ${redirectUrl}, ${nowSeconds})
    on conflict (origin, redirect_url) do update set last_used_at = excluded.last_used_at
      where r.last_used_at < ${nowSeconds - REDIRECT_SECONDS}`;
}

export async function deleteExpiredFlows(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from oauth_flows where expires_at <= ${nowSeconds}`;
}
