import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { spend } from '../../src/db/limits.ts';
import { addressKey } from '../../src/domains/accounts/limits.ts';
import { startHarness } from '../harness.ts';

const direct = await startHarness({ LIMIT_ADDRESS: '5' });
const behindProxy = await startHarness({ LIMIT_ADDRESS: '5', TRUST_PROXY: '1' });

const guest = (h: typeof direct, forwarded?: string) =>
  h
    .call('POST', '/v1/users/login', {
      body: { provider: 'GUEST' },
      headers: forwarded ? { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, forwarded: `for=${forwarded}` } : {},
    })
    .then((answer) => answer.status);

test('an address that calls too often waits, and inventing forwarding headers does not help', async () => {
  const statuses = [];
  for (let i = 0; i < 7; i++) statuses.push(await guest(direct, `10.0.0.${i}`));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
  assert.equal((await direct.pool`select id from users`).length, 5, 'a call past the limit makes no guest');
  const second = await direct.startNode();
  const register = await second.call('POST', '/v1/users/register', {
    body: { email: `${randomUUID()}@example.com`, password: 'correct-horse-7' },
  });
  assert.equal(register.status, 429, 'login, register and forgot share it, on every node');
  assert.ok(Number(register.headers.get('retry-after')) <= 300);
  direct.clock.advance(301);
  assert.equal(await guest(direct), 200);
});

test('behind a trusted proxy the address it saw counts, not the one the client wrote before it', async () => {
  for (let i = 0; i < 5; i++) assert.equal(await guest(behindProxy, `1.2.3.${i}, 203.0.113.7`), 200);
  assert.equal(await guest(behindProxy, '9.9.9.9, 203.0.113.7'), 429);
  assert.equal(await guest(behindProxy, '9.9.9.9, 203.0.113.8'), 200);
});

test('calls at the same moment, also on several nodes, never share a number', async () => {
  const ctx = direct.service.contexts.system();
  const limit = { name: randomUUID(), max: 10, windowSeconds: 60 };
  const calls = Array.from({ length: 50 }, () =>
    spend(ctx, limit, 'key').then(
      () => true,
      () => false,
    ),
  );
  const passed = (await Promise.all(calls)).filter(Boolean);
  assert.equal(passed.length, 10);
});

test('a whole /64 of IPv6 is one address', () => {
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:DB8:1:2::9'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  assert.equal(addressKey('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(addressKey('::1'), '0:0:0:0');
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7');
});
