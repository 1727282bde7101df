import assert from 'node:assert/strict';
import test from 'node:test';
import { type ClientOptions, createClient, isSoukError, memoryStorage } from '../../client/src/index.ts';
import { shareHarness, type TestUser } from '../harness.ts';

const h = await shareHarness();
const HOUR_SECONDS = 3700;

/** A client that records the requested paths. */
function clientOf(user: TestUser | null, options: Partial<ClientOptions> = {}) {
  const requested: string[] = [];
  const tokens = user && { accessToken: user.token, refreshToken: user.refreshToken };
  const souk = createClient({
    baseUrl: h.url,
    storage: memoryStorage({ tokens }),
    fetch: (url, init) => {
      requested.push(new URL(url).pathname);
      return fetch(url, init);
    },
    ...options,
  });
  return { souk, count: (path: string) => requested.filter((each) => each === path).length };
}

test('fifty calls with an expired token share one refresh, and all succeed', async () => {
  const ada = await h.user();
  const { souk, count } = clientOf(ada);
  h.clock.advance(HOUR_SECONDS);
  const responses = await Promise.all(Array.from({ length: 50 }, () => souk.users.me()));
  assert.deepEqual([...new Set(responses.map(({ id }) => id))], [ada.userId]);
  assert.equal(count('/v1/users/refresh'), 1);
});

test('a caller without a token becomes a guest with the first call, once', async () => {
  const businessId = await h.business();
  const { souk, count } = clientOf(null, { guest: true, businessId });
  const pages = await Promise.all(Array.from({ length: 5 }, () => souk.products.list().page()));
  assert.deepEqual(pages[0]!.items, []);
  assert.equal(count('/v1/users/login'), 1);
  assert.equal((await souk.session.tokens())?.isGuest, true);
});

test('after a session ended elsewhere, a call fails with 401 and the tokens are cleared', async () => {
  const ada = await h.user();
  const { souk } = clientOf(ada);
  await h.call('POST', '/v1/users/logout', { token: ada.token, body: { token: ada.refreshToken } });
  await assert.rejects(souk.users.me(), (error) => isSoukError(error, 'UNAUTHENTICATED') && error.status === 401);
  assert.equal(await souk.session.tokens(), null);
});

test('an unreachable service during a refresh does not end the session', async () => {
  const ada = await h.user();
  const { souk } = clientOf(ada, {
    tries: 1,
    fetch: (url, init) => (url.includes('refresh') ? Promise.reject(new TypeError('away')) : fetch(url, init)),
  });
  h.clock.advance(HOUR_SECONDS);
  await assert.rejects(souk.users.me(), (error) => isSoukError(error, 'NETWORK'));
  assert.equal((await souk.session.tokens())?.refreshToken, ada.refreshToken);
});

test('a logout is not undone by a refresh in progress', async () => {
  const ada = await h.user();
  const { souk } = clientOf(ada, {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (url.includes('refresh')) await souk.session.set(null);
      return response;
    },
  });
  h.clock.advance(HOUR_SECONDS);
  await assert.rejects(souk.users.me(), (error) => isSoukError(error, 'UNAUTHENTICATED'));
  assert.equal(await souk.session.tokens(), null);
});

test('a login is stored, and a logout also ends the session on the server', async () => {
  const { souk } = clientOf(null);
  const changes: boolean[] = [];
  souk.session.onChange((tokens) => changes.push(tokens !== null));
  const { accessToken } = await souk.users.login({ provider: 'GUEST' });
  await souk.users.me();
  await souk.users.logout({});
  assert.deepEqual(changes, [true, false]);
  assert.equal((await h.call('GET', '/v1/users/me', { token: accessToken })).status, 401);
});

test('clients that share a channel log out together', async () => {
  const channel = 'two-tabs';
  const ada = await h.user();
  const tokens = { accessToken: ada.token, refreshToken: ada.refreshToken };
  const [first, second] = [0, 1].map(() => clientOf(null, { storage: memoryStorage({ tokens, channel }) }).souk);
  const loggedOut = new Promise((resolve) => second!.session.onChange(resolve));
  await second!.users.me();
  await first!.users.logout({});
  assert.equal(await loggedOut, null);
  assert.equal(await second!.session.tokens(), null);
});

test('a refresh through a route of the page keeps the refresh token away from scripts', async () => {
  const ada = await h.user();
  const { souk } = clientOf(null, {
    refresh: async () => {
      const { body } = await h.call('POST', '/v1/users/refresh', { body: { refreshToken: ada.refreshToken } });
      return { accessToken: body.accessToken };
    },
  });
  assert.equal((await souk.users.me()).id, ada.userId);
  h.clock.advance(HOUR_SECONDS);
  assert.equal((await souk.users.me()).id, ada.userId);
});

test('shared tokens open no channel in Deno, where it would keep the process running', (t) => {
  const opened = t.mock.method(globalThis, 'BroadcastChannel', () => assert.fail('a channel was opened'));
  Object.assign(globalThis, { Deno: {} });
  t.after(() => delete (globalThis as { Deno?: object }).Deno);
  memoryStorage({ channel: 'souk' });
  assert.equal(opened.mock.callCount(), 0);
});
