import type { Query } from '../context.ts';
import { listPasskeyRows, type PasskeyRow } from './passkey-queries.ts';
import { countRecoveryCodes, findTotp } from './queries.ts';
import type { Factors, Passkey } from './schemas.ts';

/** The passkeys and second factors of the caller. */
export async function readFactors({ db, caller: { userId, factors } }: Query): Promise<Factors> {
  const totp = await findTotp(db, userId);
  const passkeys = await listPasskeyRows(db, userId);
  return {
    totp: totp?.confirmedAt ? { confirmedAt: totp.confirmedAt } : null,
    passkeys: passkeys.map(viewPasskey),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    hasPassword: factors.hasPassword,
  };
}

export const viewPasskey = ({ id, name, rpId, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  host: rpId,
  createdAt,
  lastUsedAt,
});
