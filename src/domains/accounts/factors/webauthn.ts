/** Passkeys: WebAuthn through SimpleWebAuthn, which is loaded on first use. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { invalidField } from '../../../shared/errors.ts';
import type { PasskeyRequest } from '../../../shared/security/challenges.ts';
import type { PasskeyRow } from './passkey-queries.ts';
import type { RelyingParty } from './relying-party.ts';

const TIMEOUT_MS = 300_000;

/** A credential as the browser returns it. */
export type Credential = { id?: unknown } & Record<string, unknown>;

const load = () => import('@simplewebauthn/server');
const descriptors = (rows: readonly PasskeyRow[], { rpId }: RelyingParty) =>
  rows
    .filter((row) => row.rpId === rpId)
    .map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as never[] }));

export async function registrationOptions(
  party: RelyingParty & { name: string },
  user: { id: string; name: string },
  existing: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.rpId,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.name,
    attestationType: 'none',
    excludeCredentials: descriptors(existing, party),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: TIMEOUT_MS,
  });
}

/** With `passkeys`, only these are allowed. Otherwise, the browser offers all its passkeys for this site. */
export async function authenticationOptions(party: RelyingParty, passkeys: readonly PasskeyRow[] | null) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: party.rpId,
    ...(passkeys ? { allowCredentials: descriptors(passkeys, party) } : {}),
    userVerification: passkeys ? 'preferred' : 'required',
    timeout: TIMEOUT_MS,
  });
}

/** Throws 422 unless the credential was created for this request. */
export async function verifyRegistration(credential: Credential, request: PasskeyRequest) {
  const { verifyRegistrationResponse } = await load();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    ...expected(request),
    requireUserVerification: true,
  }).catch(refuse);
  if (!registrationInfo) throw invalidCredential();
  return registrationInfo.credential;
}

/** Returns the new counter. `alone`: the passkey replaces the password, so the device must have verified its user. */
export async function verifyAssertion(
  credential: Credential,
  { passkey, request, alone }: { passkey: PasskeyRow; request: PasskeyRequest; alone: boolean },
): Promise<number> {
  const { verifyAuthenticationResponse } = await load();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    ...expected(request),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: alone,
  }).catch(refuse);
  if (!verified) throw invalidCredential();
  return authenticationInfo.newCounter;
}

const expected = ({ challenge, origin, rpId }: PasskeyRequest) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
});

/** The library throws for each check that fails. */
function refuse(): never {
  throw invalidCredential();
}

export const invalidCredential = () =>
  invalidField('credential', 'CREDENTIAL_INVALID', "The passkey couldn't be verified. Try again.");

/** The user that the passkey was created for, if the browser reports it. */
export function userHandle({ response }: Credential): string | null {
  const { userHandle: handle } = (response ?? {}) as { userHandle?: unknown };
  return typeof handle === 'string' && handle !== '' ? Buffer.from(handle, 'base64url').toString() : null;
}
