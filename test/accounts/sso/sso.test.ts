import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { problems } from '../../orders/shop.ts';
import { eventually } from '../../service.ts';
import { secondFactor, withTotp } from '../factors/steps.ts';
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
const node = await h.startNode();
const orders = async (businessId: string, token: string, call = h.call) =>
  (await call('GET', `/v1/businesses/${businessId}/customers`, { token })).status;
const passwordLogin = async (email: string): Promise<string> => {
  const body = { provider: 'EMAIL', email, password: GOOD_PASSWORD };
  return (await h.call('POST', '/v1/users/login', { body })).body.accessToken;
};

test('a login creates the member with the roles from the claim, in this business only', async () => {
  const company = await startCompany(h, dns);
  assert.ok((await company.verify()).domains[0]!.verifiedAt);
  const who = company.person(['bosses']);
  const { body: found } = await h.call('GET', `/v1/users/login/sso?email=${who.email}`);
  assert.deepEqual(found.items, [{ businessId: company.businessId, name: 'Shop' }]);
  const { status, body } = await company.login(who);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.provider, 'SSO');
  assert.equal(await orders(company.businessId, body.accessToken), 200);
  const { body: me } = await h.call('GET', '/v1/users/me', { token: body.accessToken });
  assert.deepEqual([me.email, me.name, me.roleIds], [who.email, 'Ada Lovelace', [company.roles.boss]]);
});

test('the claim grants no role that is not mapped, and a changed claim changes the role', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const who = company.person(['ADMIN', 'boss', company.roles.boss, 'BOSSES']);
  assert.equal((await company.login(who)).status, 403);
  const boss = await company.login({ ...who, groups: ['bosses'] });
  assert.equal(await orders(company.businessId, boss.body.accessToken), 200);
  const staff = await company.login({ ...who, groups: ['staff', 'unknown'] });
  assert.equal(await orders(company.businessId, staff.body.accessToken), 403);
  assert.equal(await orders(company.businessId, boss.body.accessToken), 403, 'even for the earlier session');
  assert.equal((await company.login({ ...who, groups: [] })).status, 403);
});

test('a provider can’t log in a user with an email outside its verified domains, even if it says that the email is verified', async () => {
  const company = await startCompany(h, dns);
  const { email: victim } = await registered(h);
  const claimed = company.person(['bosses']);
  assert.equal((await company.login(claimed)).status, 403, 'the DNS record is missing');
  dns.records.set(`_souk.${company.domain}`, 'souk-verification=of-another-business');
  await h.call('POST', `${company.path}/verify-domains`, { token: company.admin.token });
  assert.equal((await company.login(claimed)).status, 403, 'the DNS record has another value');
  await company.verify();
  assert.equal((await company.login({ ...claimed, email: victim, email_verified: true })).status, 403);
  assert.equal((await company.login({ ...claimed, email_verified: false })).status, 403);
  const { body } = await h.call('GET', `/v1/users/login/sso?email=${victim}`);
  assert.deepEqual(body.items, []);
});

test('single sign-on to one business gives access to neither the user’s account nor their other businesses', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const who = company.person(['bosses']);
  const { email } = await registered(h, who.email);
  const own = await passwordLogin(email);
  const { body: created } = await h.call('POST', '/v1/businesses', { token: own, body: { name: 'Own shop' } });
  assert.equal(await orders(created.id, own), 200);

  const { accessToken: token } = (await company.login(who)).body;
  assert.equal(await orders(company.businessId, token), 200);
  assert.equal(await orders(created.id, token), 403);
  const refused: [string, string, object?][] = [
    ['PUT', '/v1/users/update', { name: 'Eve' }],
    ['PUT', '/v1/users/update', { phoneNumbers: [], apiTokens: [] }],
    ['POST', '/v1/users/reset-password', { oldPassword: GOOD_PASSWORD, newPassword: `${GOOD_PASSWORD}8` }],
    ['DELETE', '/v1/users/me', {}],
    ['GET', '/v1/users/me/export'],
    ['POST', '/v1/businesses', { name: 'Another' }],
  ];
  for (const [method, path, body] of refused) {
    assert.equal((await h.call(method, path, { token, body })).status, 403, path);
  }
  const { body: me } = await h.call('GET', '/v1/users/me', { token });
  assert.deepEqual(
    me.roles.map(({ businessId }) => businessId),
    [company.businessId],
  );
  assert.equal(await passwordLogin(email).then((again) => orders(created.id, again)), 200, 'the account is unchanged');
});

test('enforcing single sign-on revokes access to this business only, from other logins, in all processes', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const who = company.person(['bosses']);
  await registered(h, who.email);
  const sso = (await company.login(who)).body.accessToken;
  const own = await passwordLogin(who.email);
  const { body: created } = await h.call('POST', '/v1/businesses', { token: own, body: { name: 'Own shop' } });
  assert.deepEqual(
    [await orders(company.businessId, own), await orders(company.businessId, own, node.call)],
    [200, 200],
  );

  const early = await company.save({ enforced: true });
  assert.equal(early.body.details[0]?.error, 'NOT_ALLOWED', 'only an ADMIN who is logged in with it');
  assert.equal((await company.save({ enforced: true }, sso)).status, 200);
  const isRefused = async () => ((await orders(company.businessId, own, node.call)) === 403 ? true : null);
  await eventually('the other process refuses the password login', isRefused, 1000);
  assert.equal(await orders(company.businessId, await passwordLogin(who.email)), 403);
  assert.equal(await orders(created.id, own), 200);
  assert.equal(await orders(company.businessId, sso), 200);
  assert.equal(await orders(company.businessId, company.admin.token), 200, 'an ADMIN of another domain keeps access');
});

test('a code from one provider never reaches another: state, redirect URL and business must match', async () => {
  const [company, other] = [await startCompany(h, dns), await startCompany(h, dns)];
  await Promise.all([company.verify(), other.verify()]);
  const query = new URLSearchParams({
    provider: 'SSO',
    businessId: other.businessId,
    originUrl: ORIGIN,
    redirectUrl: company.redirectUrl,
  });
  const { body } = await h.call('GET', `/v1/users/login/url?${query}`);
  assert.equal(body.details[0]?.error, 'INVALID_REDIRECT_URI');

  const [first, second] = [await company.begin(company.person()), await company.begin(company.person())];
  const mixed = await company.finish({ code: first.code, state: second.state });
  assert.equal(mixed.status, 422, 'the ID token belongs to another login');
  const mine = await company.begin(company.person());
  const theirs = await other.begin(other.person());
  assert.equal((await company.finish({ code: mine.code, state: theirs.state })).status, 422);
  assert.equal((await company.finish({ code: mine.code, state: 'forged' })).status, 422);
  assert.equal((await company.finish({ code: mine.code })).status, 400);
  const done = await company.finish({ code: mine.code, state: mine.state });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal((await company.finish({ code: mine.code, state: mine.state })).status, 422, 'used once');
});

test('the client secret is stored encrypted, shown masked and kept only for its issuer, and removing it ends the sessions', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const token = (await company.login(company.person(['bosses']))).body.accessToken;
  const { body } = await h.call('GET', company.path, { token: company.admin.token });
  assert.match(body.clientSecret!, /^\*{4}.{4}$/);
  const [row] = await h.pool<{ clientSecret: string }[]>`
    select client_secret from sso_connections where business_id = ${company.businessId}`;
  assert.match(row!.clientSecret, /^v1\./);
  assert.equal((await company.save({ clientSecret: body.clientSecret })).status, 200);
  assert.equal((await company.login(company.person())).status, 200, 'the masked secret was not stored');
  const moved = await company.save({ issuer: 'https://login.other.example', clientSecret: body.clientSecret });
  assert.deepEqual(problems(moved), ['clientSecret REQUIRED'], 'another issuer never gets the secret');
  assert.equal((await h.call('DELETE', company.path, { token: company.admin.token })).status, 200);
  assert.equal((await h.call('GET', '/v1/users/me', { token })).status, 401);
});

test('a single sign-on connection can be sent back unchanged, and changing it requires a step-up, even in its own session', async () => {
  const company = await startCompany(h, dns);
  await company.verify();
  const { token } = company.admin;
  const { body: read } = await h.call('GET', company.path, { token });
  const saved = await company.save(read);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual({ ...saved.body, updatedAt: 0 }, { ...read, updatedAt: 0 });

  const security = { stepUp: true };
  await h.call('PUT', `/v1/businesses/${company.businessId}`, { token, body: { configs: { security } } });
  const who = company.person(['bosses']);
  await registered(h, who.email);
  const app = await withTotp(h, await passwordLogin(who.email));
  app.nextStep();
  const due = await company.login(who);
  const { body: session } = await secondFactor(h, due.body.challenge!, 'TOTP', { code: app.code() });
  const sso = session.accessToken;
  const tries = [
    () => company.save({ roleClaim: 'roles' }, sso),
    () => h.call('POST', `${company.path}/scim-token`, { token: sso }),
    () => h.call('DELETE', `${company.path}/scim-token`, { token: sso }),
    () => h.call('DELETE', company.path, { token: sso }),
  ];
  const refused = await Promise.all(tries.map((each) => each()));
  for (const { status, body } of refused) assert.deepEqual([status, body.error], [403, 'STEP_UP_REQUIRED']);
  app.nextStep();
  const proof = { challenge: refused[0]!.body.challenge, method: 'TOTP', code: app.code() };
  const stepUp = await h.call('POST', '/v1/users/me/step-up', { token: sso, body: proof });
  assert.equal(stepUp.status, 200, JSON.stringify(stepUp.body));
  const headers = { 'souk-step-up': stepUp.body.token };
  assert.equal((await h.call('PUT', company.path, { token: sso, headers, body: { roleClaim: 'roles' } })).status, 200);
});
