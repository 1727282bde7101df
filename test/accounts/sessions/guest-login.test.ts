import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';

const h = await shareHarness();

test('each guest login creates a new guest, even with the same phone number', async () => {
  const guest = (phoneNumber?: string | null) =>
    h.call('POST', '/v1/users/login', { body: { provider: 'GUEST', phoneNumber } });
  const phone = '+4915112345678';
  const [one, two, none] = [await guest(phone), await guest(phone), await guest(null)];
  assert.ok(one.body.isGuest && two.body.isGuest && none.body.isGuest);
  assert.notEqual(one.body.userId, two.body.userId);
  const { body: user } = await h.call('GET', '/v1/users/me', { token: one.body.accessToken });
  assert.deepEqual([user.phoneNumbers, user.email, user.isConfirmed], [[phone], undefined, false]);
  assert.equal((await guest('+491511234567')).status, 422, 'an invalid phone number');
});

test('a guest session and its last access token end after 30 days', async () => {
  const { body } = await h.call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
  const refresh = () =>
    h.call('POST', '/v1/users/refresh', { body: { provider: 'GUEST', refreshToken: body.refreshToken } });
  h.clock.advance(30 * 86_400 - 60);
  const { accessToken: token } = (await refresh()).body;
  assert.equal((await h.call('GET', '/v1/users/me', { token })).status, 200);
  h.clock.advance(61);
  assert.equal((await refresh()).status, 401);
  assert.equal((await h.call('GET', '/v1/users/me', { token })).status, 401);
});
