import type { Tx } from '../../../db/sql.ts';

type LoginCodeRow = { secretHash: Buffer; email: string; codeHash: Buffer; expiresAt: number };

export async function insertLoginCode(tx: Tx, code: LoginCodeRow): Promise<void> {
  await tx`insert into login_codes ${tx(code)}`;
}

/** Counts an attempt and returns the code to compare with. Null if there is none, or no attempt is left. */
export async function claimCodeAttempt(
  tx: Tx,
  secretHash: Buffer,
  maxTries: number,
  now: number,
): Promise<Pick<LoginCodeRow, 'email' | 'codeHash'> | null> {
  const [row] = await tx<Pick<LoginCodeRow, 'email' | 'codeHash'>[]>`
    update login_codes set tries = tries + 1
    where secret_hash = ${secretHash} and tries < ${maxTries} and expires_at > ${now}
    returning email, code_hash`;
  return row ?? null;
}

/** False if the code has been used. */
export async function deleteLoginCode(tx: Tx, secretHash: Buffer): Promise<boolean> {
  const rows = await tx`delete from login_codes where secret_hash = ${secretHash} returning email`;
  return rows.length > 0;
}

export async function deleteExpiredLoginCodes(tx: Tx, now: number): Promise<void> {
  await tx`delete from login_codes where expires_at <= ${now}`;
}
