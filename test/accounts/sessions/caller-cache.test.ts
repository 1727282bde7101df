import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, shareHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { registered } from '../people.ts';

const h = await shareHarness();
const second = await h.secondNode();

const me = (token: string, call = h.call) => call('GET', '/v1/users/me', { token }).then((response) => response.status);
const guestLogin = () => h.call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
const emailLogin = async () => (await registered(h)).login();
const refreshed = async () => {
  const { refreshToken } = (await emailLogin()).body;
  return h.call('POST', '/v1/users/refresh', { body: { refreshToken } });
};

const logins: Record<string, () => Promise<ApiResponse>> = { guestLogin, emailLogin, refreshed };
for (const [kind, login] of Object.entries(logins)) {
  test(`the first request after ${kind} uses the cache on this node and the database on others`, async () => {
    // Retry if the process stalled for so long that it no longer trusts its cache.
    await eventually(
      'the caller is cached',
      async () => {
        const { userId, accessToken } = (await login()).body;
        // Deleted without a broadcast, so only a database read notices it.
        await h.pool`delete from sessions where user_id = ${userId}`;
        assert.equal(await me(accessToken, second.call), 401);
        return (await me(accessToken)) === 200 || null;
      },
      10_000,
    );
  });
}

test('a guest who has made no request since login is logged out on every node', async () => {
  const { accessToken } = (await guestLogin()).body;
  assert.equal((await second.call('POST', '/v1/users/logout', { token: accessToken })).status, 200);
  while ((await me(accessToken)) !== 401);
});
