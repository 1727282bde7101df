import { codeAt, stepAt } from '../../../src/domains/accounts/factors/totp.ts';
import type { Harness, Json } from '../../harness.ts';
import { GOOD_PASSWORD, registered } from '../people.ts';
import { createAuthenticator } from './authenticator.ts';

export const ORIGIN = 'http://localhost:3000';

/** Logs in without a second factor. */
export async function loggedIn(h: Harness) {
  const person = await registered(h);
  const { body } = await person.login();
  return { ...person, userId: body.userId, token: body.accessToken };
}

const sessionOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid;

/** The header of a session that has just completed a step-up. */
export const fresh = (h: Harness, token: string) => ({
  'souk-step-up': h.service.businesses.stepUps.issue(sessionOf(token), h.clock.seconds()).token,
});

/** Adds an authenticator app. `code` is valid now, unless it was used; `nextStep` moves on to the next one. */
export async function withTotp(h: Harness, token: string) {
  const setup = await h.call('POST', '/v1/users/me/totp', { token, headers: fresh(h, token) });
  const { secret } = setup.body;
  const code = () => codeAt(secret, stepAt(h.clock.seconds()));
  const used = code();
  const confirmed = await h.call('POST', '/v1/users/me/totp/confirm', { token, body: { code: used } });
  return {
    secret,
    code,
    used,
    nextStep: () => h.clock.advance(30),
    recoveryCodes: confirmed.body.recoveryCodes,
    confirmed,
  };
}

/** Adds a passkey on a new device. */
export async function withPasskey(h: Harness, token: string, device = createAuthenticator()) {
  const headers = { ...fresh(h, token), origin: ORIGIN };
  const { body } = await h.call('POST', '/v1/users/me/passkeys/options', { token, headers });
  const credential = device.create({ options: body.options, origin: ORIGIN });
  const added = await h.call('POST', '/v1/users/me/passkeys', {
    token,
    body: { challenge: body.challenge, credential, name: 'Phone' },
  });
  return { device, added };
}

/** The request that a passkey signs at login. */
export async function passkeyRequest(h: Harness, body: object = {}) {
  const answer = await h.call('POST', '/v1/users/login/passkey/options', { headers: { origin: ORIGIN }, body });
  const options: Json = answer.body.options;
  return { challenge: answer.body.challenge, ceremony: { options, origin: ORIGIN } };
}

export const login = (h: Harness, email: string, password = GOOD_PASSWORD) =>
  h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password } });

export const secondFactor = (h: Harness, challenge: string, method: string, more: object) =>
  h.call('POST', '/v1/users/login/second-factor', { body: { challenge, method, ...more } });
