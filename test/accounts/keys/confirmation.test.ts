import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, type TestUser } from '../../harness.ts';
import { fresh, withTotp } from '../factors/steps.ts';

const h = await shareHarness({ LIMIT_MESSAGES: '1000' });

const update = (token: string, apiTokens: object[], headers = {}) =>
  h.call('PUT', '/v1/users/update', { token, headers, body: { apiTokens } });
const createKey = async ({ token }: Pick<TestUser, 'token'>, key: object = {}) => {
  const { status, body } = await update(token, [{ id: 'ci', name: 'CI', ...key }], fresh(h, token));
  assert.equal(status, 200, JSON.stringify(body));
  return body.apiTokens[0]!.value;
};
const customers = async (businessId: string, token: string) => {
  const { status, body } = await h.call('GET', `/v1/businesses/${businessId}/customers`, { token });
  return [status, (body as { error?: string }).error];
};
const keysOf = async ({ token }: TestUser) => (await h.call('GET', '/v1/users/me', { token })).body.apiTokens;
const mailsTo = async ({ email }: TestUser, subject: RegExp) =>
  (await h.mailbox()).filter((mail) => mail.kind === 'mail' && mail.to === email && subject.test(mail.subject)).length;
const secure = (businessId: string, token: string, security: object) =>
  h.call('PUT', `/v1/businesses/${businessId}`, { token, body: { configs: { security } } });

test('the first second factor disables the earlier API keys everywhere until their owner confirms them with a step-up', async () => {
  const businessId = await h.business();
  const owner = await h.member(businessId, 'ADMIN');
  const key = await createKey(owner);
  assert.deepEqual(await customers(businessId, key), [200, undefined]);
  await withTotp(h, owner.token);
  assert.deepEqual(await customers(businessId, key), [403, 'KEY_UNCONFIRMED']);
  for (const path of ['/v1/users/me', `/v1/businesses/${businessId}`, '/v1/roles']) {
    const { status, body } = await h.call('GET', path, { token: key });
    assert.deepEqual([status, body.error], [403, 'KEY_UNCONFIRMED'], path);
  }
  assert.equal((await keysOf(owner))[0]!.status, 'UNCONFIRMED');
  assert.equal(await mailsTo(owner, /Confirm your API keys/), 1);

  assert.equal((await update(key, [{ id: 'ci', confirmed: true }])).status, 403, 'a key confirms no key');
  const early = await update(owner.token, [{ id: 'ci', confirmed: true }]);
  assert.deepEqual([early.status, early.body.error], [403, 'STEP_UP_REQUIRED']);
  assert.equal(
    (await update(owner.token, [{ id: 'ci', name: 'Renamed' }])).status,
    200,
    'other changes need no step-up',
  );
  assert.deepEqual(await customers(businessId, key), [403, 'KEY_UNCONFIRMED']);

  const confirmed = await update(owner.token, [{ id: 'ci', confirmed: true }], fresh(h, owner.token));
  assert.deepEqual([confirmed.status, confirmed.body.apiTokens[0]!.status], [200, undefined]);
  assert.deepEqual(await customers(businessId, key), [200, undefined]);
  const later = await createKey(owner, { id: 'later' });
  assert.deepEqual(await customers(businessId, later), [200, undefined]);
});

test('requiring a second factor disables the earlier keys of members in this business, each until its owner confirms it', async () => {
  const [strict, calm] = [await h.business(), await h.business()];
  const admin = await h.member(strict, 'ADMIN');
  await withTotp(h, admin.token);
  const roleId = (await h.call('GET', `/v1/roles?businessId=${calm}`, { token: (await h.member(calm, 'ADMIN')).token }))
    .body.items[0]!.id;
  await h.pool`insert into members (business_id, user_id, role_id, used_at) values (${calm}, ${admin.userId}, ${roleId}, 1)`;
  const key = await createKey(admin);
  assert.equal((await secure(strict, admin.token, { requireSecondFactor: true })).status, 200);
  assert.deepEqual(await customers(strict, key), [403, 'KEY_UNCONFIRMED']);
  assert.deepEqual(await customers(calm, key), [200, undefined]);
  const products = await h.call('GET', `/v1/businesses/${strict}/products`, { token: key });
  assert.equal(products.status, 403, 'not even what any token can do');
  const [shown] = await keysOf(admin);
  assert.deepEqual([shown!.status, shown!.unconfirmedIn], ['UNCONFIRMED', [strict]]);
  assert.equal(await mailsTo(admin, /Confirm your API keys for Shop/), 1);

  await update(admin.token, [{ id: 'ci', confirmed: true }], fresh(h, admin.token));
  assert.deepEqual(await customers(strict, key), [200, undefined]);
  await secure(strict, admin.token, { requireSecondFactor: true, stepUp: false });
  assert.deepEqual(await customers(strict, key), [200, undefined], 'the policy was on before');
  await secure(strict, admin.token, {});
  await secure(strict, admin.token, { requireSecondFactor: true });
  assert.deepEqual(await customers(strict, key), [403, 'KEY_UNCONFIRMED'], 'the policy was turned on again');
});

test('during the grace period, a key works and can be confirmed', async (t) => {
  h.clock.stop(t);
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  await withTotp(h, admin.token);
  const [kept, other] = [await createKey(admin, { id: 'kept' }), 'another-key-4711'];
  await update(admin.token, [{ id: 'kept' }, { id: 'other', value: other }], fresh(h, admin.token));
  await secure(businessId, admin.token, { requireSecondFactor: true, gracePeriodDays: 1 });
  for (const key of [kept, other]) assert.deepEqual(await customers(businessId, key), [200, undefined]);
  const confirmed = [{ id: 'kept', confirmed: true }, { id: 'other' }];
  await update(admin.token, confirmed, fresh(h, admin.token));
  h.clock.advance(86_401);
  assert.deepEqual(await customers(businessId, kept), [200, undefined]);
  assert.deepEqual(await customers(businessId, other), [403, 'KEY_UNCONFIRMED']);
});

test('creating or widening a key requires a step-up if any business of the account does, even one that withholds its permissions', async () => {
  const stepUp = { security: { stepUp: true, requireSecondFactor: true, enforcedFrom: 1 } };
  const [strict, calm] = [await h.business(stepUp), await h.business()];
  const owner = await h.member(calm, 'ADMIN');
  const { token } = await h.member(strict, 'ADMIN');
  await withTotp(h, token);
  const roles = await h.call('GET', `/v1/roles?businessId=${strict}`, { token });
  await h.pool`insert into members (business_id, user_id, role_id, used_at)
    values (${strict}, ${owner.userId}, ${roles.body.items[0]!.id}, 1)`;
  // The account has no password. Until now, its login was recent enough.
  h.clock.advance(301);
  const scopes = { businesses: [calm], permissions: ['ORDER_READ'] };
  const refresh = async () =>
    (await h.call('POST', '/v1/users/refresh', { body: { refreshToken: owner.refreshToken } })).body.accessToken;
  const current = await refresh();
  assert.deepEqual(await customers(strict, current), [403, 'SECOND_FACTOR_MISSING']);
  for (const key of [{ id: 'ci' }, { id: 'ci', scopes }]) {
    assert.equal((await update(current, [key])).body.error, 'STEP_UP_REQUIRED');
  }
  assert.equal((await update(current, [{ id: 'ci', scopes }], fresh(h, current))).status, 200);
  assert.equal((await update(current, [{ id: 'ci', scopes: null }])).body.error, 'STEP_UP_REQUIRED');
  assert.equal((await update(current, [{ id: 'ci', name: 'CI' }])).status, 200);
});
