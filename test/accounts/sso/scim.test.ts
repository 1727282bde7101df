import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
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
const second = await h.startNode();
const TYPE = { 'content-type': 'application/scim+json' };

async function connected() {
  const company = await startCompany(h, dns);
  await company.verify();
  const { body } = await h.call('POST', `${company.path}/scim-token`, { token: company.admin.token });
  const call = async (method: string, path: string, sent?: object, token = body.token) => {
    const url = `/scim/v2/${company.businessId}${path}`;
    const answer = await h.call(method, url, { token, ...(sent ? { headers: TYPE, body: sent } : {}) });
    assert.match(answer.headers.get('content-type') ?? '', /^application\/scim\+json/);
    return { status: answer.status, body: answer.body ? JSON.parse(answer.body) : null };
  };
  const create = async (fields: object = {}) =>
    (await call('POST', '/Users', { userName: `${randomUUID()}@${company.domain}`, ...fields })).body;
  const patch = (path: string, ...operations: object[]) => call('PATCH', path, { Operations: operations });
  return { ...company, scimToken: body.token, call, create, patch };
}
const customers = async (businessId: string, token: string, call = h.call) =>
  (await call('GET', `/v1/businesses/${businessId}/customers`, { token })).status;

test('a deactivated user immediately loses membership and sessions in this business, and nothing else', async () => {
  const company = await connected();
  const who = company.person([]);
  await registered(h, who.email);
  const user = await company.create({ userName: who.email, externalId: 'e-1' });
  const { body: group } = await company.call('POST', '/Groups', {
    displayName: 'bosses',
    members: [{ value: user.id }],
  });
  assert.deepEqual(group.members, [{ value: user.id }]);
  const sso = (await company.login(who)).body.accessToken;
  const body = { provider: 'EMAIL', email: who.email, password: GOOD_PASSWORD };
  const own = (await h.call('POST', '/v1/users/login', { body })).body.accessToken;
  const { body: created } = await h.call('POST', '/v1/businesses', { token: own, body: { name: 'Own shop' } });
  for (const token of [sso, own]) assert.equal(await customers(company.businessId, token, second.call), 200);

  const { body: inactive } = await company.patch(`/Users/${user.id}`, {
    op: 'Replace',
    path: 'active',
    value: 'False',
  });
  assert.equal(inactive.active, false);
  const isOut = async () => ((await customers(company.businessId, sso, second.call)) === 401 ? true : null);
  await eventually('the other process refuses the session', isOut, 1000);
  assert.equal(await customers(company.businessId, own), 403);
  assert.equal(await customers(created.id, own), 200, 'the account and its other businesses are untouched');
  assert.equal((await company.login(who)).status, 403, 'single sign-on does not bring the member back');

  await company.patch(`/Users/${user.id}`, { op: 'replace', value: { active: true } });
  assert.equal((await company.login(who)).status, 200);
});

test('a token works only in its own business, and only until it is replaced', async () => {
  const [company, other] = [await connected(), await connected()];
  const user = await company.create();
  for (const token of [other.scimToken, company.admin.token, 'scim_guessed', '']) {
    for (const [method, path] of [
      ['GET', '/Users'],
      ['DELETE', `/Users/${user.id}`],
    ] as const) {
      assert.equal((await company.call(method, path, undefined, token)).status, 401);
    }
  }
  assert.equal((await other.call('GET', `/Users/${user.id}`)).status, 404);
  assert.equal((await other.call('PATCH', `/Users/${user.id}`, { Operations: [] })).status, 404);
  await h.call('POST', `${company.path}/scim-token`, { token: company.admin.token });
  assert.equal((await company.call('GET', '/Users')).status, 401);
  const [row] = await h.pool<{ scimHash: Buffer }[]>`
    select scim_hash from sso_connections where business_id = ${other.businessId}`;
  assert.ok(!row!.scimHash.toString('latin1').includes(other.scimToken));
});

test('membership in a group grants the role mapped to the group’s name, and ending it revokes the role', async () => {
  const company = await connected();
  const user = await company.create();
  const roleIds = async () =>
    (await h.pool<{ roleId: string }[]>`select role_id from members where user_id = ${user.id}`).map(
      (row) => row.roleId,
    );
  assert.deepEqual(await roleIds(), []);
  const { body: group } = await company.call('POST', '/Groups', { displayName: 'anything' });
  await company.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: user.id }] });
  assert.deepEqual(await roleIds(), [], 'a group that is not mapped gives nothing');
  await company.patch(`/Groups/${group.id}`, { op: 'replace', value: { displayName: 'staff' } });
  assert.deepEqual(await roleIds(), [company.roles.staff]);
  await company.patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${user.id}"]` });
  assert.deepEqual(await roleIds(), []);
  await h.numberEvents(company.businessId);
  const types = await h.pool<{ type: string }[]>`
    select distinct type from events where business_id = ${company.businessId} and type like 'scim.%' order by 1`;
  assert.deepEqual(
    types.map(({ type }) => type),
    ['scim.group_saved', 'scim.user_saved'],
  );
  const { status } = await company.patch(`/Groups/${group.id}`, {
    op: 'add',
    path: 'members',
    value: [{ value: 'none' }],
  });
  assert.equal(status, 400);
});

test('users are created in verified domains only, found by filter, replaced and deleted', async () => {
  const company = await connected();
  const { email } = await registered(h);
  const foreign = await company.call('POST', '/Users', { userName: email });
  assert.deepEqual([foreign.status, foreign.body.scimType], [400, 'invalidValue']);
  const userName = `${randomUUID()}@${company.domain}`;
  const user = await company.create({
    userName,
    externalId: 'e-7',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
  });
  assert.equal((await company.call('POST', '/Users', { userName })).status, 409);
  for (const filter of [`userName eq "${userName.toUpperCase()}"`, 'externalId eq "e-7"']) {
    const { body } = await company.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    assert.deepEqual(
      [body.totalResults, body.Resources[0].id, body.Resources[0].name.formatted],
      [1, user.id, 'Ada Lovelace'],
    );
  }
  const { body: bad } = await company.call('GET', `/Users?filter=${encodeURIComponent('title pr')}`);
  assert.equal(bad.scimType, 'invalidFilter');
  const replaced = { userName, active: true, name: { givenName: 'Ada', familyName: 'King' } };
  assert.equal((await company.call('PUT', `/Users/${user.id}`, replaced)).body.name.familyName, 'King');
  assert.equal((await company.call('DELETE', `/Users/${user.id}`)).status, 204);
  assert.equal((await company.call('GET', `/Users/${user.id}`)).status, 404);
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
    assert.equal((await company.call('GET', path)).status, 200);
  }
});

test('the last ADMIN of a business cannot be deactivated or deleted, even if the role comes from a claim', async () => {
  const company = await connected();
  const boss = company.person(['bosses']);
  const { accessToken: token } = (await company.login(boss)).body;
  await h.pool`delete from members where business_id = ${company.businessId} and user_id = ${company.admin.userId}`;
  const user = await company.create({ userName: boss.email });
  assert.equal((await company.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false })).status, 409);
  assert.equal((await company.call('DELETE', `/Users/${user.id}`)).status, 409);
  assert.equal(await customers(company.businessId, token), 200);
});

test('users and groups can be sent back unchanged, and values beyond database limits are client errors', async () => {
  const company = await connected();
  const user = await company.create({ externalId: 'e-1', name: { givenName: 'Ada', familyName: 'Lovelace' } });
  const members = [{ value: user.id }];
  const group = (await company.call('POST', '/Groups', { displayName: 'staff', externalId: 'g-1', members })).body;
  const plain = ({ meta, ...fields }: { meta: object }) => fields;
  for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
    const read = (await company.call('GET', path)).body;
    const saved = await company.call('PUT', path, read);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual(plain(saved.body), plain(read));
    assert.deepEqual(plain((await company.call('GET', path)).body), plain(read));
  }
  const userName = `x@${company.domain}`;
  for (const [method, path, sent] of [
    ['GET', '/Users?startIndex=99999999999999999999999', undefined],
    ['GET', '/Users?count=-1', undefined],
    ['GET', `/Users?filter=${encodeURIComponent('externalId eq "\\u0000"')}`, undefined],
    ['GET', `/Groups?filter=${encodeURIComponent('displayName eq "\\ud800"')}`, undefined],
    ['POST', '/Users', { userName, name: { familyName: '\u0000' } }],
    ['POST', '/Groups', { displayName: 'a\u0000b' }],
    ['POST', '/Groups', { displayName: 'c', members: Array.from({ length: 9000 }, (_, i) => ({ value: `usr_${i}` })) }],
  ] as const) {
    const { status } = await company.call(method, path, sent);
    assert.ok(status < 500, `${method} ${path.slice(0, 60)} ${JSON.stringify(sent)?.slice(0, 60)}: ${status}`);
  }
  const long = 'x'.repeat(201);
  for (const [path, sent, field] of [
    ['/Users', { userName, externalId: long }, 'externalId'],
    ['/Users', { userName, name: { givenName: long } }, 'name.givenName'],
    ['/Groups', { displayName: 'b', externalId: long }, 'externalId'],
    ['/Groups', { displayName: long }, 'displayName'],
  ] as const) {
    const { status, body } = await company.call('POST', path, sent);
    assert.equal(status, 400, field);
    assert.ok(body.detail.includes(field), body.detail);
  }
  const { totalResults } = (await company.call('GET', '/Users')).body;
  for (const page of ['count=0', 'startIndex=1000']) {
    const { body } = await company.call('GET', `/Users?${page}`);
    assert.deepEqual([body.totalResults, body.Resources], [totalResults, []]);
  }
});
