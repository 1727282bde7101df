import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { registered } from '../people.ts';

const h = await shareHarness();
const second = await h.secondNode();

const me = (token: string, call = h.call) => call('GET', '/v1/users/me', { token }).then((response) => response.status);
const refresh = (refreshToken: string, call = h.call) =>
  call('POST', '/v1/users/refresh', { body: { provider: 'EMAIL', refreshToken } });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (token: string, i: number) => JSON.parse(Buffer.from(token.split('.')[i]!, 'base64url').toString());

/** Resolves when the token is rejected. */
async function untilRejected(token: string, call = h.call): Promise<void> {
  while ((await me(token, call)) !== 401);
}

test('tokens contain the documented claims and verify with the published key', async () => {
  const { userId, token, refreshToken, email } = await h.user();
  const claims = read(token, 1);
  assert.deepEqual([claims.sub, claims.email, claims.provider, claims.typ], [userId, email, 'EMAIL', 'access']);
  assert.equal(claims.exp - claims.iat, 3600);
  assert.equal(read(refreshToken, 1).exp, null);
  const { keys } = (await h.call('GET', '/.well-known/jwks.json')).body;
  const key = keys.find(({ kid }) => kid === read(token, 0).kid)!;
  assert.equal(key.d, undefined);
  const [header, body, signature] = token.split('.') as [string, string, string];
  const publicKey = createPublicKey({ key, format: 'jwk' });
  assert.ok(verify(null, Buffer.from(`${header}.${body}`), publicKey, Buffer.from(signature, 'base64url')));
});

test('only unexpired access tokens issued by the service are accepted', async () => {
  const { token, refreshToken } = await h.user();
  const [header, body, signature] = token.split('.') as [string, string, string];
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const signed = (head: object, claims: string) => {
    const text = `${part(head)}.${claims}`;
    return `${text}.${sign(null, Buffer.from(text), stranger).toString('base64url')}`;
  };
  const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
  const bad = {
    'a refresh token': refreshToken,
    'alg none': `${part({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'alg none with kid': `${part({ ...read(token, 0), alg: 'none' })}.${body}.${signature}`,
    'another key under our kid': signed(read(token, 0), body),
    'an unknown kid': signed({ ...read(token, 0), kid: 'other' }, body),
    'a changed claim': `${header}.${part({ ...read(token, 1), sub: 'usr_other' })}.${signature}`,
    'a non-canonical signature': token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1),
    'an extra part': `${token}.x`,
    'no signature': `${header}.${body}.`,
    'an unknown API key': 'not-an-api-key-at-all',
  };
  for (const [what, text] of Object.entries(bad)) assert.equal(await me(text), 401, what);
  for (const at of [0, 30, header.length + 5, token.length - 43, token.length - 1]) {
    assert.equal(await me(flip(token, at)), 401, `flipped at ${at}`);
  }
  assert.equal(await me(token), 200);
  assert.equal((await refresh(token)).status, 401, 'an access token does not refresh');
});

test('an access token expires after an hour, even if cached, and a refresh issues a new one', async () => {
  const { token, refreshToken } = await h.user();
  assert.equal(await me(token), 200);
  h.clock.advance(3601);
  assert.equal(await me(token), 401);
  const { body } = await refresh(refreshToken);
  assert.equal(body.refreshToken, refreshToken);
  assert.equal(await me(body.accessToken), 200);
  const alias = await h.call('POST', '/v1/users/refresh-access-token', { body: { refreshToken } });
  assert.equal(alias.status, 200);
  assert.equal((await h.call('POST', '/v1/users/refresh', { body: { provider: 'NOPE', refreshToken } })).status, 400);
});

test('20 concurrent refreshes all succeed and leave one session', async () => {
  const { userId, refreshToken } = await h.user();
  const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
  assert.deepEqual(new Set(responses.map((response) => response.status)), new Set([200]));
  assert.equal((await h.pool`select from sessions where user_id = ${userId}`).length, 1);
});

test('logout invalidates the access and refresh tokens on every node', async () => {
  const { token, refreshToken } = await h.user();
  assert.equal(await me(token, second.call), 200);
  assert.equal(await me(token), 200);
  assert.equal((await h.call('POST', '/v1/users/logout', { token })).status, 200);
  assert.equal(await me(token), 401);
  await untilRejected(token, second.call);
  assert.equal((await refresh(refreshToken)).status, 401);
  assert.equal((await h.call('POST', '/v1/users/logout', { token })).status, 401);
  assert.equal((await h.call('POST', '/v1/users/logout')).status, 401);
});

test('logout with a token in the body ends only the session of that token', async () => {
  const { login } = await registered(h);
  const [one, two] = [(await login()).body, (await login()).body];
  const body = { provider: 'EMAIL', token: one.refreshToken };
  assert.equal((await h.call('POST', '/v1/users/logout', { token: two.accessToken, body })).status, 200);
  assert.equal(await me(one.accessToken), 401);
  assert.equal(await me(two.accessToken), 200);
});

test('a password change ends every other session on every node and keeps the caller’s', async () => {
  const { login, password } = await registered(h);
  const [mine, other] = [(await login()).body, (await login()).body];
  for (const { accessToken } of [mine, other]) assert.equal(await me(accessToken, second.call), 200);
  const body = { oldPassword: password, newPassword: 'another-horse-8' };
  assert.equal((await h.call('POST', '/v1/users/reset-password', { token: mine.accessToken, body })).status, 200);
  assert.equal(await me(other.accessToken), 401);
  await untilRejected(other.accessToken, second.call);
  assert.equal((await refresh(other.refreshToken)).status, 401);
  assert.equal(await me(mine.accessToken, second.call), 200);
  assert.equal((await refresh(mine.refreshToken)).status, 200);
});

test('users can list and end only their own sessions', async () => {
  const { login } = await registered(h);
  const [old, current] = [(await login()).body, (await login()).body];
  const list = await h.call('GET', '/v1/users/sessions', { token: current.accessToken });
  assert.deepEqual(
    list.body.items.map((session) => session.current),
    [true, false],
  );
  const path = `/v1/users/sessions/${list.body.items[1]!.id}` as const;
  assert.equal((await h.call('DELETE', path, { token: (await h.user()).token })).status, 404);
  assert.equal((await h.call('DELETE', path, { token: current.accessToken })).status, 200);
  assert.equal(await me(old.accessToken), 401);
  assert.equal(await me(current.accessToken), 200);
});

test('while broadcasts between nodes are lost, no token is resolved from the cache', async () => {
  const { userId, token } = await h.user();
  assert.equal(await me(token, second.call), 200);
  await h.pool`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'souk-listen' and datname = current_database()`;
  await h.pool.transaction((tx) => tx`delete from sessions where user_id = ${userId}`);
  await untilRejected(token, second.call);
});

test("key rotation doesn't log anyone out, and the new key signs once every node has loaded it", async () => {
  const before = await h.user();
  const kid = await second.service.accounts.rotateKeys();
  assert.equal(await me(before.token), 200);
  h.clock.advance(11);
  const { body } = await refresh(before.refreshToken, second.call);
  assert.equal(read(body.accessToken, 0).kid, kid);
  assert.equal(await me(body.accessToken), 200);
  assert.equal(await me(before.token), 200);
  const { keys } = (await h.call('GET', '/.well-known/jwks.json')).body;
  assert.equal(keys.length, 2);
});

test('a login verified with the old password starts no session after a password change', async () => {
  const { email, login } = await registered(h);
  const { body } = await login();
  // The password changes after the login has read it and before it writes the session. The row lock decides the order.
  const pending = await h.pool.reserve();
  await pending`begin`;
  await pending`update users set password_version = password_version + 1, password_hash = 'x' where email_key = ${email}`;
  await pending`delete from sessions where user_id = ${body.userId}`;
  const late = login();
  while (
    (await h.pool`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      .length === 0
  );
  await pending`commit`;
  pending.release();
  assert.equal((await late).status, 422);
  assert.equal((await h.pool`select from sessions where user_id = ${body.userId}`).length, 0);
});
