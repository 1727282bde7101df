import type { Tx } from '../../db/connection.ts';

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
  const [row] = await tx<
    FlowRow[]
  >`delete from oauth_flows where state_hash = ${stateHash} and expires_at > ${nowSeconds}
    returning *`;
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
