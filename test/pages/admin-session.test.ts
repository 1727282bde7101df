import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { type AccountServices, addConfirmedUser } from '../../src/domains/accounts/index.ts';
import { newId } from '../../src/shared/ids.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const secure = await startHarness({ PUBLIC_URL: 'https://shop.example', NODE_ENV: 'production' });
const password = 'correct-horse-7';

async function account(harness: typeof h): Promise<string> {
  const email = `${newId('usr')}@example.com`;
  const system = harness.service.contexts.system() as Steps<AccountServices>;
  const passwordHash = await system.accounts.passwords.hash(password);
  await system.transaction((tx) =>
    addConfirmedUser(tx, { id: newId('usr'), email, name: 'Ada', passwordHash, apiKey: `souk_${newId('key')}` }),
  );
  return email;
}

const ours = (more: Record<string, string> = {}) => ({ origin: h.url, ...more });
const login = (email: string, headers: Record<string, string> = ours()) =>
  h.call('POST', '/admin/session', { headers, body: { provider: 'EMAIL', email, password } });
const cookieOf = (headers: Headers) => headers.get('set-cookie')!.split(';')[0]!;

test('the refresh token is only in an HttpOnly cookie for its own path', async () => {
  const { status, body, headers } = await login(await account(h));
  assert.equal(status, 200);
  assert.equal(body.refreshToken, undefined);
  assert.equal((await h.call('GET', '/v1/users/me', { token: body.accessToken })).status, 200);
  const attributes = headers.get('set-cookie')!.split('; ').slice(1).sort();
  assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=34560000', 'Path=/admin/session', 'SameSite=Strict']);
});

test('a refresh needs only the cookie and fails after logout', async () => {
  const first = await login(await account(h));
  const cookie = cookieOf(first.headers);
  const again = await h.call('POST', '/admin/session/refresh', { headers: ours({ cookie: `other=1; ${cookie}` }) });
  assert.equal(again.status, 200);
  assert.equal(again.body.userId, first.body.userId);
  assert.equal(again.body.refreshToken, undefined);

  const out = await h.call('DELETE', '/admin/session', { headers: ours({ cookie }) });
  assert.equal(out.status, 200);
  assert.match(out.headers.get('set-cookie')!, /^souk-admin=; .*Max-Age=0/);
  assert.equal((await h.call('POST', '/admin/session/refresh', { headers: ours({ cookie }) })).status, 401);
  assert.equal((await h.call('GET', '/v1/users/me', { token: again.body.accessToken })).status, 401);
  assert.equal((await h.call('DELETE', '/admin/session', { headers: ours({ cookie }) })).status, 200);
});

test('requests from other origins, other ports or without an origin are rejected, even with the cookie', async () => {
  const email = await account(h);
  const cookie = cookieOf((await login(email)).headers);
  const { hostname } = new URL(h.url);
  for (const origin of ['https://evil.example', `http://${hostname}:1`, h.url.replace('http:', 'https:'), 'null', '']) {
    const headers: Record<string, string> = { cookie, ...(origin ? { origin } : {}) };
    for (const [method, path] of [
      ['POST', '/admin/session/refresh'],
      ['DELETE', '/admin/session'],
    ] as const) {
      const response = await h.call(method, path, { headers });
      assert.equal(response.status, 403, `${method} ${path} from ${origin}`);
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
    assert.equal((await login(email, headers)).status, 403);
  }
  assert.equal((await h.call('POST', '/admin/session/refresh', { headers: ours({ cookie }) })).status, 200);
});

test('a page that reaches this host through DNS rebinding cannot log in', async () => {
  const body = JSON.stringify({ provider: 'EMAIL', email: await account(h), password });
  const loginAt = async (host: string) => {
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
    const sending = request(`${h.url}/admin/session`, { method: 'POST', headers }).end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  assert.equal(await loginAt('evil.example:3000'), 403);
  assert.equal(await loginAt('localhost:3000'), 200);
});

test('behind https, the cookie is Secure and only the public origin is accepted', async () => {
  const email = await account(secure);
  const body = { provider: 'EMAIL', email, password };
  const here = await secure.call('POST', '/admin/session', { headers: { origin: secure.url }, body });
  assert.equal(here.status, 403);
  const { status, headers } = await secure.call('POST', '/admin/session', {
    headers: { origin: 'https://shop.example' },
    body,
  });
  assert.equal(status, 200);
  assert.match(headers.get('set-cookie')!, /^__Secure-souk-admin=.*; HttpOnly; SameSite=Strict; Secure$/);
});

test('guests cannot log in to the admin, and a wrong password is reported on its field', async () => {
  const guest = await h.call('POST', '/admin/session', { headers: ours(), body: { provider: 'GUEST' } });
  assert.equal(guest.status, 400);
  const body = { provider: 'EMAIL', email: await account(h), password: 'wrong-horse-7' };
  const wrong = await h.call('POST', '/admin/session', { headers: ours(), body });
  assert.equal(wrong.status, 422);
  assert.equal(wrong.body.details[0].field, 'password');
  assert.equal(wrong.headers.get('set-cookie'), null);
});

test('every admin URL serves the same strict page, without demo login in production', async () => {
  for (const harness of [h, secure]) {
    for (const path of ['/admin', '/admin/biz_1/orders/ord_1']) {
      const { status, body, headers } = await harness.call('GET', path, { headers: { accept: 'text/html' } });
      assert.equal(status, 200);
      assert.doesNotMatch(body, /<style|style=|\son[a-z]+=|data-demo/);
      assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe|script-src[^;]*(https?:|\*|data:)/);
    }
  }
});
