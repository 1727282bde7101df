import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { shareHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { fresh, loggedIn, withTotp } from './steps.ts';

const DAY = 86_400;
const h = await shareHarness();

suite('A business that requires a second factor', async () => {
  const secure = (businessId: string, token: string, security: object) =>
    h.call('PUT', `/v1/businesses/${businessId}`, { token, body: { configs: { security } } });
  const readStats = (businessId: string, token: string, call = h.call) =>
    call('GET', `/v1/businesses/${businessId}/stats`, { token });

  test('withholds all permissions from members without one, in sessions and API keys, until they add one', async () => {
    const businessId = await h.business();
    const admin = await h.member(businessId, 'ADMIN');
    const member = await h.member(businessId, 'ORDER_READ');
    const created = await h.call('PUT', '/v1/users/update', {
      token: member.token,
      body: { apiTokens: [{ name: 'CI' }] },
    });
    const key = created.body.apiTokens[0]!.value;
    const node = await h.secondNode();
    assert.equal((await readStats(businessId, member.token, node.call)).status, 200);
    assert.equal((await readStats(businessId, key)).status, 200);
    const app = await withTotp(h, admin.token);
    assert.equal(app.confirmed.status, 200);
    assert.equal((await secure(businessId, admin.token, { requireSecondFactor: true })).status, 200);
    const answer = await eventually('the other process refuses it too', async () => {
      const read = await readStats(businessId, member.token, node.call);
      return read.status !== 200 && read;
    });
    assert.equal(answer.status, 403);
    assert.equal((answer.body as unknown as { error: string }).error, 'SECOND_FACTOR_MISSING');
    assert.equal((await readStats(businessId, key)).status, 403);
    assert.equal((await readStats(businessId, admin.token)).status, 200);
    const { body: me } = await h.call('GET', '/v1/users/me', { token: member.token });
    assert.equal(me.secondFactor?.requiredBy[0]?.businessId, businessId);
    const { body: mine } = await h.call('GET', '/v1/businesses', { token: member.token });
    assert.deepEqual(Object.keys(mine.items[0]!.configs), []);
    await withTotp(h, member.token);
    assert.equal((await readStats(businessId, member.token)).status, 200);
    const waiting = await readStats(businessId, key);
    assert.deepEqual([waiting.status, (waiting.body as unknown as { error: string }).error], [403, 'KEY_UNCONFIRMED']);
    const apiTokens = [{ id: created.body.apiTokens[0]!.id, confirmed: true }];
    const headers = fresh(h, member.token);
    await h.call('PUT', '/v1/users/update', { token: member.token, headers, body: { apiTokens } });
    assert.equal((await readStats(businessId, key)).status, 200);
  });

  test('members keep access during the grace period, and a cached caller expires with it', async (t) => {
    const now = h.clock.stop(t);
    const businessId = await h.business();
    const admin = await h.member(businessId, 'ADMIN');
    const { body } = await secure(businessId, admin.token, { requireSecondFactor: true, gracePeriodDays: 7 });
    assert.equal(body.configs.security!.enforcedFrom, now + 7 * DAY);
    const member = await h.member(businessId, 'ORDER_READ');
    const { refreshToken } = member;
    h.clock.advance(7 * DAY - 60);
    const { accessToken } = (await h.call('POST', '/v1/users/refresh', { body: { refreshToken } })).body;
    assert.equal((await readStats(businessId, accessToken)).status, 200);
    // Saving the same policy again doesn't restart the grace period.
    const renewed = await h.call('POST', '/v1/users/refresh', { body: { refreshToken: admin.refreshToken } });
    await secure(businessId, renewed.body.accessToken, {
      requireSecondFactor: true,
      gracePeriodDays: 7,
      stepUp: false,
    });
    h.clock.advance(61);
    assert.equal((await readStats(businessId, accessToken)).status, 403);
  });

  test('removing the last factor withholds permissions immediately; only an ADMIN can change the policy', async () => {
    const businessId = await h.business({ security: { requireSecondFactor: true, enforcedFrom: 1 } });
    const admin = await h.member(businessId, 'ADMIN');
    const clerk = await h.member(businessId, 'BUSINESS_WRITE');
    for (const { token } of [admin, clerk]) await withTotp(h, token);
    assert.equal((await secure(businessId, clerk.token, {})).status, 403);
    assert.equal((await readStats(businessId, admin.token)).status, 200);
    await h.call('DELETE', '/v1/users/me/totp', { token: admin.token, headers: fresh(h, admin.token) });
    assert.equal((await readStats(businessId, admin.token)).status, 403);
    const role = { businessId, name: 'Mine', permissions: ['ADMIN'] };
    assert.equal((await h.call('POST', '/v1/roles', { token: admin.token, body: role })).status, 403);
  });
});

suite('Step-up', async () => {
  test('sensitive actions in sessions require a step-up if the business has enabled it', async () => {
    const [businessId, calm] = [await h.business({ security: { stepUp: true } }), await h.business()];
    const admin = await h.member(businessId, 'ADMIN');
    const { token } = admin;
    h.clock.advance(301);
    const business = `/v1/businesses/${businessId}`;
    const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token });
    const actions: [method: string, path: string, body?: object][] = [
      ['GET', `${business}/export`],
      ['GET', `${business}/exports?type=products`],
      ['PUT', '/v1/users/update', { apiTokens: [{ name: 'CI' }] }],
      ['POST', '/v1/roles', { businessId, name: 'Clerk', permissions: [] }],
      ['PUT', '/v1/users/set-role', { userId: admin.userId, roleId: null, businessId }],
      ['POST', `${business}/invitation`, { email: 'new@example.com', roleIds: [roles.items[0]!.id] }],
      ['PUT', business, { configs: { paymentProvider: { type: 'SANDBOX', publicKey: 'pk_new' } } }],
      ['PUT', business, { configs: { security: {} } }],
      ['POST', `${business}/publishable-keys`, { name: 'Shop', origins: ['https://shop.example'] }],
      ['GET', `${business}/customers/${admin.userId}/personal-data`],
      ['DELETE', `${business}/customers/${admin.userId}/personal-data`],
      ['DELETE', business],
    ];
    for (const [method, path, body] of actions) {
      const refused = await h.call(method, path, { token, body });
      assert.equal(refused.body.error, 'STEP_UP_REQUIRED', `${method} ${path}: ${JSON.stringify(refused.body)}`);
    }
    // Other settings and other businesses need no step-up.
    const email = { configs: { email: { fromName: 'Shop' } } };
    assert.equal((await h.call('PUT', business, { token, body: email })).status, 200);
    const elsewhere = await h.member(calm, 'ADMIN');
    assert.equal((await h.call('GET', `/v1/businesses/${calm}/export`, { token: elsewhere.token })).status, 200);
    for (const [method, path, body] of actions) {
      const answer = await h.call(method, path, { token, body, headers: fresh(h, token) });
      assert.notEqual(answer.body?.error, 'STEP_UP_REQUIRED', `${method} ${path}`);
    }
  });

  test('step-up tokens that are expired, forged or from another session are rejected; API keys need no step-up', async () => {
    const businessId = await h.business({ security: { stepUp: true } });
    const { token, refreshToken } = await h.member(businessId, 'ADMIN');
    const other = await h.member(businessId, 'ADMIN');
    // These accounts have no password. Until now, their login was recent enough.
    h.clock.advance(301);
    const exported = (headers: Record<string, string>, as = token) =>
      h.call('GET', `/v1/businesses/${businessId}/export`, { token: as, headers });
    const created = await h.call('PUT', '/v1/users/update', {
      token,
      headers: fresh(h, token),
      body: { apiTokens: [{ name: 'CI' }] },
    });
    assert.equal((await exported({}, created.body.apiTokens[0]!.value)).status, 200);
    assert.equal((await exported(fresh(h, other.token))).status, 403);
    for (const invented of ['99999999999.', 'x', '99999999999.AAAA']) {
      assert.equal((await exported({ 'souk-step-up': invented })).status, 403);
    }
    const headers = fresh(h, token);
    assert.equal((await exported(headers)).status, 200);
    h.clock.advance(300);
    const { accessToken } = (await h.call('POST', '/v1/users/refresh', { body: { refreshToken } })).body;
    assert.equal((await exported(headers, accessToken)).status, 403);
  });

  test('an account with a second factor is deleted only after a step-up', async () => {
    const person = await loggedIn(h);
    await withTotp(h, person.token);
    const remove = (headers = {}) =>
      h.call('DELETE', '/v1/users/me', { token: person.token, headers, body: { password: person.password } });
    assert.equal((await remove()).body.error, 'STEP_UP_REQUIRED');
    assert.equal((await remove(fresh(h, person.token))).status, 200);
  });
});
