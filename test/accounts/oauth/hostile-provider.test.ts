/** A provider that signs and sends arbitrary data, which must never cause more than a rejected login. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { casesOf } from '../../cases.ts';
import { startHarness } from '../../harness.ts';

const ORIGIN = 'https://shop.example';
const CLIENT_ID = 'souk';
const { privateKey, publicKey } = await generateKeyPair('ES256');
const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }];

type Replies = { token?: object; claims?: Record<string, unknown>; userinfo?: unknown; raw?: string };
let replies: Replies = {};
let nonce = '';

const server = createServer(async (request, response) => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (body: unknown) =>
    response.setHeader('content-type', 'application/json').end(typeof body === 'string' ? body : JSON.stringify(body));
  switch (new URL(request.url!, issuer).pathname) {
    case '/.well-known/openid-configuration':
      return send({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      });
    case '/jwks':
      return send({ keys });
    case '/userinfo':
      return send(replies.userinfo ?? { sub: 'nobody' });
    default: {
      if (replies.raw !== undefined) return send(replies.raw);
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        aud: CLIENT_ID,
        sub: randomUUID(),
        iat: now,
        exp: now + 60,
        nonce,
        ...replies.claims,
      };
      const id_token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
      return send({ access_token: 'a', token_type: 'Bearer', id_token, ...replies.token });
    }
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close().closeAllConnections());

const h = await startHarness({
  OAUTH_IDP_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  OAUTH_IDP_CLIENT_ID: CLIENT_ID,
  OAUTH_IDP_TRUST_EMAIL: '1',
  ALLOWED_ORIGINS: ORIGIN,
  LIMIT_ADDRESS: '10000',
  LOG_LEVEL: 'silent',
});

async function loginWith(given: Replies) {
  const query = new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: ORIGIN });
  const { body } = await h.call('GET', `/v1/users/login/url?${query}`);
  nonce = new URL(body.url).searchParams.get('nonce')!;
  replies = given;
  return h.call('POST', '/v1/users/login', { body: { provider: 'OAUTH_IDP', originUrl: ORIGIN, code: 'any' } });
}

const HOSTILE: unknown[] = [
  '\0',
  'a\0b@example.com',
  '\ud800',
  'a\u0085b',
  '',
  'x'.repeat(500_000),
  null,
  true,
  0,
  1e308,
  [],
  ['a'],
  {},
  '__proto__',
];

/** `npm test` tries every third value in a field, and different ones in the next field. */
const hostileFor = (field: number) => HOSTILE.filter((_, i) => (i + field) % casesOf(3, 1) === 0);

test('claims of any type and size are accepted or rejected, never a server error', async () => {
  for (const [i, claim] of [
    'email',
    'email_verified',
    'name',
    'given_name',
    'family_name',
    'sub',
    'nonce',
    'iss',
    'aud',
    'exp',
    'iat',
  ].entries()) {
    for (const value of hostileFor(i)) {
      const valid = { email: `${randomUUID()}@example.com`, email_verified: true };
      const { status, body } = await loginWith({ claims: { ...valid, [claim]: value } });
      assert.ok(
        [200, 422].includes(status),
        `${claim} ${JSON.stringify(value)?.slice(0, 50)}: ${status} ${JSON.stringify(body)}`,
      );
      if (claim === 'email' && status === 200) {
        const { body: user } = await h.call('GET', '/v1/users/me', { token: body.accessToken });
        assert.equal(user.email, undefined, JSON.stringify(value).slice(0, 50));
      }
    }
  }
});

test('malformed responses from the token and userinfo endpoints never cause a server error', async () => {
  const fields = ['access_token', 'token_type', 'id_token', 'refresh_token', 'expires_in', 'scope'];
  for (const [i, field] of fields.entries()) {
    for (const value of hostileFor(i)) {
      const { status } = await loginWith({
        token: { [field]: value },
        claims: { email: 'a@example.com', email_verified: true },
      });
      assert.ok([200, 422].includes(status), `${field} ${JSON.stringify(value)?.slice(0, 50)}: ${status}`);
    }
  }
  for (const value of HOSTILE) {
    const { status } = await loginWith({ userinfo: value });
    assert.ok([200, 422].includes(status), `userinfo ${JSON.stringify(value)?.slice(0, 50)}: ${status}`);
  }
  for (const raw of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"error":"invalid_grant"}',
    `{"access_token":"${'x'.repeat(3_000_000)}"}`,
  ]) {
    const { status } = await loginWith({ raw });
    assert.equal(status, 422, raw.slice(0, 30));
  }
});
