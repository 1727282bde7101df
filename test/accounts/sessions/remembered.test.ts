import assert from 'node:assert/strict';
import test from 'node:test';
import { type Answer, startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { registered } from '../people.ts';

const h = await startHarness({ LIMIT_ADDRESS: '10000' });
const second = await h.startNode();

const me = (token: string, call = h.call) => call('GET', '/v1/users/me', { token }).then((answer) => answer.status);
const guestLogin = () => h.call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
const emailLogin = async () => (await registered(h)).login();
const refreshed = async () => {
  const { refreshToken } = (await emailLogin()).body;
  return h.call('POST', '/v1/users/refresh', { body: { refreshToken } });
};

const logins: Record<string, () => Promise<Answer>> = { guestLogin, emailLogin, refreshed };
for (const [kind, login] of Object.entries(logins)) {
  test(`the first request after ${kind} is answered from memory here, and from the database elsewhere`, async () => {
    // Again when the machine stood still for so long that the memory was not to be trusted.
    await eventually(
      'the caller is remembered',
      async () => {
        const { userId, accessToken } = (await login()).body;
        // Behind the service's back: nobody is told, so only who reads the database notices.
        await h.pool`delete from sessions where user_id = ${userId}`;
        assert.equal(await me(accessToken, second.call), 401);
        return (await me(accessToken)) === 200 || null;
      },
      10_000,
    );
  });
}

test('a guest who was never seen after the login is logged out everywhere within a second', async () => {
  const { accessToken } = (await guestLogin()).body;
  assert.equal((await second.call('POST', '/v1/users/logout', { token: accessToken })).status, 200);
  const start = performance.now();
  while ((await me(accessToken)) !== 401);
  assert.ok(performance.now() - start < 1000);
});
