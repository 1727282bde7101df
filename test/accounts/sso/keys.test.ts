import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { fresh } from '../factors/steps.ts';
import { GOOD_PASSWORD, registered } from '../people.ts';
import { ORIGIN, startCompany } from './company.ts';
import { startDns } from './dns.ts';

const dns = await startDns();
const h = await startHarness({
  LIMIT_ADDRESS: '10000',
  LIMIT_MESSAGES: '100',
  ALLOWED_ORIGINS: ORIGIN,
  DNS_SERVERS: dns.server,
});

const update = (token: string, apiTokens: object[], headers = fresh(h, token)) =>
  h.call('PUT', '/v1/users/update', { token, headers, body: { apiTokens } });
const customers = async (businessId: string, token: string) => {
  const { status, body } = await h.call('GET', `/v1/businesses/${businessId}/customers`, { token });
  return [status, (body as { error?: string }).error];
};
const keysOf = async (token: string) => (await h.call('GET', '/v1/users/me', { token })).body.apiTokens;

/** A boss with a password, a session from single sign-on, a key and another business. */
async function enforcing() {
  const company = await startCompany(h, dns);
  await company.verify();
  const who = company.person(['bosses']);
  await registered(h, who.email);
  const sso = (await company.login(who)).body.accessToken;
  const passwordLogin = async () => {
    const body = { provider: 'EMAIL', email: who.email, password: GOOD_PASSWORD } as const;
    return (await h.call('POST', '/v1/users/login', { body })).body.accessToken;
  };
  const own = await passwordLogin();
  const { body: created } = await h.call('POST', '/v1/businesses', { token: own, body: { name: 'Own shop' } });
  const key = (await update(own, [{ id: 'mine' }])).body.apiTokens[0]!.value;
  assert.deepEqual(await customers(company.businessId, key), [200, undefined]);
  assert.equal((await company.save({ enforced: true }, sso)).status, 200);
  return { ...company, who, sso, own, ownShop: created.id, key };
}

test('while a business enforces single sign-on, no key from another login has permissions there', async () => {
  const { businessId, ownShop, own, key } = await enforcing();
  assert.deepEqual(await customers(businessId, own), [403, 'SSO_REQUIRED']);
  assert.deepEqual(await customers(businessId, key), [403, 'KEY_UNCONFIRMED'], 'the key is older than the policy');
  assert.deepEqual(await customers(ownShop, key), [200, undefined]);
  const later = (await update(own, [{ id: 'mine' }, { id: 'later' }])).body.apiTokens.find(({ id }) => id === 'later')!;
  assert.deepEqual(await customers(businessId, later.value), [403, 'KEY_UNCONFIRMED']);
  await update(own, [
    { id: 'mine', confirmed: true },
    { id: 'later', confirmed: true },
  ]);
  for (const each of [key, later.value]) {
    assert.deepEqual(
      await customers(businessId, each),
      [403, 'KEY_UNCONFIRMED'],
      'a password login confirms it only elsewhere',
    );
    const removed = await h.call('PUT', '/v1/users/set-role', {
      token: each,
      body: { userId: 'usr_any', businessId, roleId: null },
    });
    assert.equal(removed.status, 403);
  }
});

test('a key is confirmed for the business in a session from its single sign-on, with a step-up', async () => {
  const { businessId, sso, ownShop, key } = await enforcing();
  const [seen] = await keysOf(sso);
  assert.deepEqual([seen!.id, seen!.status, seen!.unconfirmedIn], ['mine', 'UNCONFIRMED', [businessId]]);
  h.clock.advance(301);
  const early = await update(sso, [{ id: 'mine', confirmed: true }], { 'souk-step-up': '' });
  assert.deepEqual([early.status, early.body.error], [403, 'STEP_UP_REQUIRED']);
  assert.equal((await update(sso, [{ ...seen, confirmed: true }])).status, 200);
  assert.deepEqual(await customers(businessId, key), [200, undefined]);
  assert.deepEqual(await customers(ownShop, key), [200, undefined]);
});

test('a key created in a session from single sign-on is limited to its business', async () => {
  const { businessId, sso, own, ownShop, key } = await enforcing();
  const { body, status } = await update(sso, [{ id: 'company', name: 'Company' }]);
  assert.equal(status, 200, JSON.stringify(body));
  const made = body.apiTokens.find(({ id }) => id === 'company')!.value;
  assert.deepEqual(await customers(businessId, made), [200, undefined]);
  assert.deepEqual(await customers(ownShop, made), [403, 'FORBIDDEN']);
  for (const [method, path, sent] of [
    ['PUT', '/v1/users/update', { apiTokens: [] }],
    ['GET', '/v1/users/me/export'],
    ['POST', '/v1/businesses', { name: 'Another' }],
  ] as const) {
    assert.equal((await h.call(method, path, { token: made, body: sent })).status, 403, path);
  }
  const scopes = { businesses: [ownShop], permissions: ['ADMIN'] };
  const wide = await update(sso, [{ id: 'company' }, { id: 'wide', scopes }]);
  assert.deepEqual([wide.status, wide.body.details[0]?.field], [422, 'apiTokens[1].scopes.businesses']);
  const ids = async () => (await keysOf(own)).map(({ id }) => id).sort();
  assert.deepEqual(await ids(), ['company', 'mine'], 'keys of the account are kept');
  assert.equal((await update(sso, [])).status, 200);
  assert.deepEqual(await ids(), ['mine'], 'only the keys of the business are revoked');
  assert.deepEqual(await customers(ownShop, key), [200, undefined]);
});

test('a session from single sign-on neither sees, replaces nor widens keys of other businesses', async () => {
  const { sso, own, ownShop } = await enforcing();
  const scopes = { businesses: [ownShop], permissions: ['ORDER_READ'] };
  await update(own, [{ id: 'mine' }, { id: 'private', name: 'Private', scopes }]);
  assert.deepEqual(
    (await keysOf(sso)).map(({ id }) => id),
    ['mine'],
  );
  for (const taken of [
    { id: 'private' },
    { id: 'private', value: 'a-key-of-the-provider' },
    { id: 'mine', value: 'a-key-of-the-provider' },
  ]) {
    const { status, body } = await update(sso, [taken]);
    assert.deepEqual([status, body.details[0]?.error], [422, 'DUPLICATE']);
  }
  await update(sso, [{ id: 'mine', name: 'Renamed', scopes }]);
  const [mine] = await keysOf(own);
  assert.deepEqual([mine!.name, mine!.scopes], ['', undefined]);
});

test('enforcing single sign-on disables even the keys that were created with it, until they are confirmed', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const sso = (await company.login(company.person(['bosses']))).body.accessToken;
  const { body } = await update(sso, [{ id: 'early' }]);
  const key = body.apiTokens[0]!.value;
  assert.deepEqual(await customers(company.businessId, key), [200, undefined]);
  await company.save({ enforced: true }, sso);
  assert.deepEqual(await customers(company.businessId, key), [403, 'KEY_UNCONFIRMED']);
  await update(sso, [{ id: 'early', confirmed: true }]);
  assert.deepEqual(await customers(company.businessId, key), [200, undefined]);
});
