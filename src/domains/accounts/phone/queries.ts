import type { Db, Tx } from '../../../db/sql.ts';

type NewCode = {
  userId: string;
  phoneNumber: string;
  codeHash: Buffer;
  sentAt: number;
  expiresAt: number;
  resendSeconds: number;
};

export async function findPhoneCodeSentAt(db: Db, userId: string, phoneNumber: string): Promise<number | null> {
  const [row] = await db<{ sentAt: number }[]>`
    select sent_at from phone_codes where user_id = ${userId} and phone_number = ${phoneNumber}`;
  return row?.sentAt ?? null;
}

/** False if the previous code is too recent to be replaced. */
export async function upsertPhoneCode(tx: Tx, code: NewCode): Promise<boolean> {
  const { userId, phoneNumber, codeHash, sentAt, expiresAt, resendSeconds } = code;
  const rows = await tx`
    insert into phone_codes as c (user_id, phone_number, code_hash, tries, sent_at, expires_at)
    values (${userId}, ${phoneNumber}, ${codeHash}, 0, ${sentAt}, ${expiresAt})
    on conflict (user_id, phone_number) do update
      set code_hash = excluded.code_hash, tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at
      where c.sent_at <= ${sentAt - resendSeconds}
    returning user_id`;
  return rows.length > 0;
}

/** Counts an attempt and returns the hash to compare with. Null if there is no code or no attempt left. */
export async function claimPhoneAttempt(tx: Tx, userId: string, phoneNumber: string, maxTries: number, now: number) {
  const [row] = await tx<{ codeHash: Buffer }[]>`
    update phone_codes set tries = tries + 1
    where user_id = ${userId} and phone_number = ${phoneNumber} and tries < ${maxTries} and expires_at > ${now}
    returning code_hash`;
  return row?.codeHash ?? null;
}

/** False if the code has been used or replaced in the meantime. */
export async function deletePhoneCode(tx: Tx, userId: string, phoneNumber: string, codeHash: Buffer): Promise<boolean> {
  const rows = await tx`delete from phone_codes
    where user_id = ${userId} and phone_number = ${phoneNumber} and code_hash = ${codeHash} returning user_id`;
  return rows.length > 0;
}

export async function updateVerifiedPhone(tx: Tx, userId: string, phoneNumber: string, now: number): Promise<void> {
  await tx`update users set
      phone_numbers = case when ${phoneNumber} = any(phone_numbers) then phone_numbers
        else phone_numbers || ${phoneNumber}::text end,
      verified_phones = case when ${phoneNumber} = any(verified_phones) then verified_phones
        else verified_phones || ${phoneNumber}::text end,
      version = version + 1, updated_at = ${now}
    where id = ${userId}`;
}

export async function deleteExpiredPhoneCodes(tx: Tx, nowSeconds: number): Promise<void> {
  await tx`delete from phone_codes where expires_at <= ${nowSeconds}`;
}
