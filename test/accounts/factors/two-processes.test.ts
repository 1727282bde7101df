import assert from 'node:assert/strict';
import test from 'node:test';
import { codeAt, stepAt } from '../../../src/domains/accounts/factors/totp.ts';
import { shareHarness } from '../../harness.ts';
import { whenWaitingForLock } from '../../locks.ts';
import { eventually } from '../../service.ts';
import { GOOD_PASSWORD } from '../people.ts';
import { fresh, loggedIn, login, ORIGIN, passkeyRequest, secondFactor, withPasskey, withTotp } from './steps.ts';

const h = await shareHarness();
const second = await h.secondNode();

test('the other process withholds permissions as soon as the only factor is removed', async () => {
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  const { token } = await h.member(businessId, 'CUSTOMER_READ');
  for (const each of [admin.token, token]) await withTotp(h, each);
  const body = { configs: { security: { requireSecondFactor: true } } };
  await h.call('PUT', `/v1/businesses/${businessId}`, { token: admin.token, body });
  const read = () => second.call('GET', `/v1/businesses/${businessId}/customers`, { token });
  assert.equal((await read()).status, 200);
  const { status } = await h.call('DELETE', '/v1/users/me/totp', { token, headers: fresh(h, token) });
  assert.equal(status, 200);
  const isWithheld = async () => JSON.stringify((await read()).body).includes('SECOND_FACTOR_MISSING');
  await eventually('the other process asks for a factor', isWithheld);
});

test('the other process rejects a revoked key', async () => {
  const { token } = await loggedIn(h);
  const change = (apiTokens: object[]) => h.call('PUT', '/v1/users/update', { token, body: { apiTokens } });
  const key = (await change([{ name: 'CI' }])).body.apiTokens[0]!.value;
  const use = () => second.call('GET', '/v1/users/me', { headers: { 'x-api-key': key } });
  assert.equal((await use()).status, 200);
  await change([]);
  await eventually('the key is refused', async () => ((await use()).status === 401 ? true : null));
});

test('a login that waits while its passkey is removed in the other process starts no session', async () => {
  const person = await loggedIn(h);
  const { token, userId } = person;
  const { device, added } = await withPasskey(h, token);
  const { challenge, ceremony } = await passkeyRequest(h);
  const body = { challenge, credential: device.get(ceremony) };
  const { waiting } = await h.pool.transaction(async (tx) => {
    await tx`select from users where id = ${userId} for update`;
    const removal = h.call('DELETE', `/v1/users/me/passkeys/${added.body.id}`, { token, headers: fresh(h, token) });
    await whenWaitingForLock(h.pool, removal, 1);
    const use = second.call('POST', '/v1/users/login/passkey', { headers: { origin: ORIGIN }, body });
    await whenWaitingForLock(h.pool, use, 2);
    return { waiting: Promise.all([removal, use]) };
  });
  const [removal, use] = await waiting;
  assert.deepEqual([removal.status, use.status], [200, 422]);
  assert.equal((await h.pool`select from sessions where user_id = ${userId} and provider = 'PASSKEY'`).length, 0);
});

test('a code that confirms an app in one process can’t be used again in the other', async () => {
  const person = await loggedIn(h);
  const { used, confirmed } = await withTotp(h, person.token);
  assert.equal(confirmed.status, 200);
  const { challenge } = (await login(h, person.email)).body;
  const body = { challenge, method: 'TOTP', code: used };
  assert.equal((await second.call('POST', '/v1/users/login/second-factor', { body })).status, 422);
  // A new app is not a factor until it is confirmed.
  const other = await loggedIn(h);
  const { body: setup } = await h.call('POST', '/v1/users/me/totp', {
    token: other.token,
    headers: fresh(h, other.token),
  });
  assert.ok(setup.secret);
  assert.equal((await login(h, other.email)).status, 200);
});

test('two processes that confirm one app at once create one set of recovery codes', async () => {
  const { token, userId, email } = await loggedIn(h);
  const { body: setup } = await h.call('POST', '/v1/users/me/totp', { token, headers: fresh(h, token) });
  const body = { code: codeAt(setup.secret, stepAt(h.clock.seconds())) };
  const confirm = (call: typeof h.call) => call('POST', '/v1/users/me/totp/confirm', { token, body });
  const answers = await Promise.all([confirm(h.call), confirm(second.call)]);
  assert.deepEqual(answers.map(({ status }) => status).sort((a, b) => a - b)[0], 200);
  const kept = answers.find(({ status }) => status === 200)!.body.recoveryCodes;
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal((await h.pool`select from recovery_codes where user_id = ${userId}`).length, 10);
  const { challenge } = (await login(h, email)).body;
  assert.equal((await secondFactor(h, challenge!, 'RECOVERY_CODE', { code: kept[0] })).status, 200);
});

test('a session that ends while its request waits adds no factor and completes no step-up', async () => {
  const statusOfWaiting = async (request: (token: string, challenge: string) => ReturnType<typeof h.call>) => {
    const { token, userId } = await loggedIn(h);
    const { body } = await h.call('POST', '/v1/users/me/step-up/options', { token, headers: { origin: ORIGIN } });
    const { waiting } = await h.pool.transaction(async (tx) => {
      await tx`select from users where id = ${userId} for update`;
      await tx`delete from sessions where user_id = ${userId}`;
      const waiting = request(token, body.challenge);
      await whenWaitingForLock(h.pool, waiting);
      return { waiting };
    });
    const { status } = await waiting;
    assert.equal((await h.pool`select from totp_secrets where user_id = ${userId}`).length, 0);
    return status;
  };
  const add = (token: string) =>
    second.call('POST', '/v1/users/me/totp', { token, headers: fresh(h, token), body: {} });
  const stepUp = (token: string, challenge: string) => {
    const body = { challenge, method: 'PASSWORD', password: GOOD_PASSWORD };
    return second.call('POST', '/v1/users/me/step-up', { token, body });
  };
  assert.equal(await statusOfWaiting(add), 401);
  assert.equal(await statusOfWaiting(stepUp), 401);
});
