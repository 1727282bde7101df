import type { Db, Tx } from '../../../db/sql.ts';
import type { SecondFactor } from '../../../shared/security/caller.ts';

export type FactorState = { secondFactors: SecondFactor[]; passwordVersion: number; email: string | null };

/** Serializes logins by this user and changes to their factors. Null if the account was deleted. */
export async function lockFactors(tx: Tx, userId: string): Promise<FactorState | null> {
  const [row] = await tx<FactorState[]>`
    select second_factors, password_version, email from users where id = ${userId} for no key update`;
  return row ?? null;
}

/** Updates the user's list of second factors from the stored passkeys and authenticator app, and returns it. */
export async function updateSecondFactors(tx: Tx, userId: string, now: number): Promise<SecondFactor[]> {
  const [row] = await tx<{ secondFactors: SecondFactor[] }[]>`
    update users set updated_at = ${now}, second_factors =
      case when exists (select from passkeys where user_id = ${userId}) then array['PASSKEY'] else '{}'::text[] end ||
      case when exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null)
        then array['TOTP'] else '{}'::text[] end
    where id = ${userId} returning second_factors`;
  return row!.secondFactors;
}

type TotpRow = { secret: string; confirmedAt: number | null; lastStep: number };

export async function findTotp(db: Db, userId: string): Promise<TotpRow | null> {
  const [row] = await db<TotpRow[]>`
    select secret, confirmed_at, last_step from totp_secrets where user_id = ${userId}`;
  return row ?? null;
}

/** Replaces a secret that was never confirmed. False if a confirmed one exists. */
export async function insertTotp(tx: Tx, userId: string, secret: string, now: number): Promise<boolean> {
  const rows =
    await tx`insert into totp_secrets as t (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
      where t.confirmed_at is null
    returning user_id`;
  return rows.length > 0;
}

/** False if the secret was replaced or confirmed in the meantime. */
export async function confirmTotp(
  tx: Tx,
  { userId, secret, step, now }: { userId: string; secret: string; step: number; now: number },
): Promise<boolean> {
  const rows = await tx`update totp_secrets set confirmed_at = ${now}, last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning user_id`;
  return rows.length > 0;
}

/** False if this code or a later one was used before. */
export async function useTotpStep(tx: Tx, userId: string, secret: string, step: number): Promise<boolean> {
  const rows = await tx`update totp_secrets set last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and confirmed_at is not null and last_step < ${step}
    returning user_id`;
  return rows.length > 0;
}

export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx`delete from totp_secrets
    where user_id = ${userId} and confirmed_at is not null returning user_id`;
  return rows.length > 0;
}

/** Replaces the recovery codes. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId}`;
  for (const hash of hashes) await tx`insert into recovery_codes (user_id, hash) values (${userId}, ${hash})`;
}

export async function hasRecoveryCode(db: Db, userId: string, hash: Buffer): Promise<boolean> {
  return (await db`select from recovery_codes where user_id = ${userId} and hash = ${hash}`).length > 0;
}

/** False if the code is wrong or was used. */
export async function deleteRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx`delete from recovery_codes where user_id = ${userId} and hash = ${hash} returning user_id`;
  return rows.length > 0;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from recovery_codes where user_id = ${userId}`;
  return row!.count;
}

/** False if the challenge was already used. */
export async function claimChallenge(tx: Tx, { id, expiresAt }: { id: string; expiresAt: number }): Promise<boolean> {
  const rows = await tx`insert into used_challenges (id, expires_at) values (${id}, ${expiresAt})
    on conflict do nothing returning id`;
  return rows.length > 0;
}

export async function deleteExpiredChallenges(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from used_challenges where expires_at <= ${nowSeconds}`;
}

export async function deleteFactors(tx: Tx, userId: string): Promise<void> {
  await tx`delete from passkeys where user_id = ${userId}`;
  await tx`delete from totp_secrets where user_id = ${userId}`;
  await tx`delete from recovery_codes where user_id = ${userId}`;
}
