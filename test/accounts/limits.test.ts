import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { consumeCallLimit } from '../../src/db/call-limits.ts';
import { consumeLimit } from '../../src/db/limits.ts';
import type { Caller } from '../../src/shared/security/caller.ts';
import { addressKey } from '../../src/shared/text/address-key.ts';
import { startHarness } from '../harness.ts';

const direct = await startHarness({
  LIMIT_ADDRESS: '5',
  OAUTH_IDP_ISSUER: 'http://127.0.0.1:9',
  OAUTH_IDP_CLIENT_ID: 'id',
  OAUTH_IDP_CLIENT_SECRET: 'secret',
});
const behindProxy = await startHarness({ LIMIT_ADDRESS: '5', TRUST_PROXY: '1' });

/** Inserts the invitation directly, because the API has its own limits. */
async function openInvitation(): Promise<string> {
  const businessId = await direct.business();
  const { userId } = await direct.member(businessId, 'ADMIN');
  const secretHash = createHash('sha256').update('secret').digest();
  const row = {
    businessId,
    id: 'inv_1',
    email: 'new@example.com',
    emailKey: 'new@example.com',
    roleIds: [] as string[],
  };
  const times = { createdAt: 1, expiresAt: direct.clock.seconds() + 60 };
  await direct.pool`insert into invitations ${direct.pool({ ...row, ...times, invitedBy: userId, secretHash })}`;
  return `${businessId}.inv_1.secret`;
}

const guest = (h: typeof direct, forwarded?: string) =>
  h
    .call('POST', '/v1/users/login', {
      body: { provider: 'GUEST' },
      headers: forwarded ? { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, forwarded: `for=${forwarded}` } : {},
    })
    .then((response) => response.status);

test('an IP address over the limit gets 429, and forged forwarding headers do not help', async () => {
  const statuses = [];
  for (let i = 0; i < 7; i++) statuses.push(await guest(direct, `10.0.0.${i}`));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  assert.equal(
    (await direct.pool`select id from users where is_guest`).length,
    5,
    'a request over the limit creates no guest',
  );
  const second = await direct.startNode();
  const register = await second.call('POST', '/v1/users/register', {
    body: { email: `${randomUUID()}@example.com`, password: 'correct-horse-7' },
  });
  assert.equal(register.status, 429, 'login, register and forgot-password share the limit on every node');
  const forgot = await second.call('POST', '/v1/users/forgot-password', {
    body: { email: `${randomUUID()}@example.com` },
  });
  assert.equal(forgot.status, 429);
  const oauth = { provider: 'OAUTH_IDP', code: 'x', originUrl: 'https://shop.example' };
  assert.equal((await second.call('POST', '/v1/users/login', { body: oauth })).status, 429);
  const accept = await second.call('POST', '/invitation', {
    body: { token: await openInvitation(), action: 'accept', password: 'correct-horse-7' },
  });
  assert.equal(accept.status, 429, 'the invitation page shares it too');
  assert.ok(Number(register.headers.get('retry-after')) <= 300);
  direct.clock.advance(301);
  assert.equal(await guest(direct), 200);
});

test('behind a trusted proxy, the IP address that the proxy adds counts, not the one the client sends', async () => {
  for (let i = 0; i < 5; i++) assert.equal(await guest(behindProxy, `1.2.3.${i}, 203.0.113.7`), 200);
  assert.equal(await guest(behindProxy, '9.9.9.9, 203.0.113.7'), 429);
  assert.equal(await guest(behindProxy, '9.9.9.9, 203.0.113.8'), 200);
});

test('every concurrent call is counted', async () => {
  const ctx = direct.service.contexts.system();
  const limit = { name: randomUUID(), max: 10, windowSeconds: 60 };
  const calls = Array.from({ length: 50 }, () =>
    consumeLimit(ctx, limit, 'key').then(
      () => true,
      () => false,
    ),
  );
  const passed = (await Promise.all(calls)).filter(Boolean);
  assert.equal(passed.length, 10);
});

const passed = async (calls: Promise<void>[]) =>
  (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;

/** The context of a request by this user to this service. */
const requestOf = (service: typeof direct.service, userId: string, address: string): Steps =>
  service.contexts.steps({ caller: { userId } as Caller, businessId: '', address });

test('within one process, the checkout limits per user and per IP address are exact, even in a burst', async () => {
  const user = randomUUID();
  const burst = Array.from({ length: 700 }, () =>
    consumeCallLimit(requestOf(direct.service, user, '192.0.2.1'), 'checkout'),
  );
  assert.equal(await passed(burst), 600);
  const others = Array.from({ length: 2500 }, (_, i) =>
    consumeCallLimit(requestOf(direct.service, `user-${i}`, '192.0.2.1'), 'checkout'),
  );
  assert.equal(await passed(others), 2400, 'the previous 600 count for the IP address');
  await assert.rejects(consumeCallLimit(requestOf(direct.service, user, '192.0.2.9'), 'checkout'), {
    kind: 'RATE_LIMITED',
  });
  direct.clock.advance(301);
  await consumeCallLimit(requestOf(direct.service, user, '192.0.2.1'), 'checkout');
});

test('processes share a limit with a tolerance of 5% each, and write nothing while usage is far below it', async () => {
  const [user, quiet] = [randomUUID(), randomUUID()];
  const { service: second } = await direct.startNode();
  let accepted = 0;
  for (let i = 0; i < 800; i++) {
    const service = i % 2 ? second : direct.service;
    accepted += await passed([consumeCallLimit(requestOf(service, user, `192.0.2.${i}`), 'checkout')]);
  }
  assert.ok(accepted >= 600 && accepted <= 660, `${accepted}`);
  const count = async () => (await direct.pool`select from limits`).length;
  const before = await count();
  for (let i = 0; i < 20; i++) await consumeCallLimit(requestOf(second, quiet, '198.51.100.1'), 'checkout');
  assert.equal(await count(), before);
});

test('an IPv6 /64 counts as one address', () => {
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:DB8:1:2::9'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  assert.equal(addressKey('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(addressKey('::1'), '0:0:0:0');
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7');
});
