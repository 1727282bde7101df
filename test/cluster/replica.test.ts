/** The service with a read replica whose replay is paused while clients write. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { createClient } from '../../client/src/index.ts';
import { prepareDatabase } from '../../src/open-database.ts';
import { type Json, startHarness } from '../harness.ts';
import { createReplicated } from '../servers/replicated.ts';
import { eventually } from '../service.ts';

const { primary, standby, replay, setFeedback } = await createReplicated();
const target = { host: '127.0.0.1', port: primary.port, user: 'souk', password: '', database: 'souk' };
await prepareDatabase({ target, direct: target });
await setFeedback('on');
const h = await startHarness({}, { target, replica: { ...target, port: standby.port } });
const { call } = h;
const businessId = await h.business({
  markets: [{ id: 'us', name: 'US', currency: 'usd', taxMode: 'EXCLUSIVE', paymentMethods: [{ method: 'CASH' }] }],
});
const path = `/v1/businesses/${businessId}`;
const { token } = await h.member(businessId, 'ADMIN');

async function countReads(server: 'replica' | 'primary'): Promise<number> {
  const { body } = await call('GET', '/metrics');
  return Number(new RegExp(`database_replica_reads_total\\{answered_by="${server}"\\} (\\d+)`).exec(body)?.[1] ?? 0);
}

/** Pauses a replica that serves reads, right after the service has read its position, until the test ends. */
async function pauseInUse(t: TestContext): Promise<void> {
  await replay.wait();
  const before = await countReads('replica');
  await listEmails();
  await eventually('the replica answers', async () => {
    await listEmails();
    return (await countReads('replica')) > before;
  });
  await replay.pause(t);
  await listEmails();
}

async function addCustomer() {
  const email = `${randomUUID()}@example.com`;
  const { status, body, headers } = await call('POST', `${path}/customers`, { token, body: { email } });
  assert.equal(status, 200, JSON.stringify(body));
  return { email, lsn: headers.get('souk-lsn')! };
}

async function listEmails(headers: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await call('GET', `${path}/customers`, { token, headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((customer: Json) => customer.email);
}

test('a client that sends back Souk-LSN sees its own write in lists and exports', async (t) => {
  await pauseInUse(t);
  const { email, lsn } = await addCustomer();
  assert.match(lsn, /^[0-9A-F]+\/[0-9A-F]+$/);
  assert.ok((await listEmails({ 'souk-lsn': lsn })).includes(email));
  const exported = await call('GET', `${path}/exports?type=customers`, { token, headers: { 'souk-lsn': lsn } });
  assert.ok(exported.body.includes(email), exported.body);
});

for (const invalid of ['primary', '0/1;', '1', '0/123456789', ''])
  test(`the primary serves a request with the invalid Souk-LSN "${invalid}"`, async (t) => {
    await pauseInUse(t);
    const { email } = await addCustomer();
    assert.ok((await listEmails({ 'souk-lsn': invalid })).includes(email));
  });

test('the client reads its own writes', async (t) => {
  await pauseInUse(t);
  const souk = createClient({ baseUrl: h.url, businessId, fetch: withToken });
  const { id } = await souk.products.create({ name: 'Lamp' });
  const { items } = await souk.products.list({ ids: [id] }).page();
  assert.deepEqual(
    items.map((product) => product.id),
    [id],
  );
});

const withToken = (url: string, init: RequestInit) =>
  fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` } });

test('a product that changed after the replica stopped is listed as it is on the primary', async (t) => {
  const { body: product } = await call('POST', `${path}/products`, { token, body: { name: 'Before' } });
  await pauseInUse(t);
  await call('PUT', `${path}/products/${product.id}`, { token, body: { name: 'After' } });
  const { body } = await call('GET', `${path}/products?ids=${product.id}`, { token });
  assert.deepEqual(
    body.items.map(({ name }: Json) => name),
    ['After'],
  );
});

test('only responses to writes have a position, and pages from other origins can read and send it', async () => {
  const origin = 'https://shop.example';
  const read = await call('GET', `${path}/customers`, { token, headers: { origin } });
  assert.equal(read.headers.get('souk-lsn'), null);
  assert.match(read.headers.get('access-control-expose-headers')!, /souk-lsn/);
  const preflight = await call('OPTIONS', `${path}/customers`, {
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'souk-lsn' },
  });
  assert.match(preflight.headers.get('access-control-allow-headers')!, /souk-lsn/);
});

test('authentication and permissions never come from the replica', async (t) => {
  await pauseInUse(t);
  const member = await h.member(businessId, 'ORDER_READ');
  assert.equal((await call('GET', `${path}/orders`, { token: member.token })).status, 200);
  const logout = await call('POST', '/v1/users/logout', {
    token: member.token,
    body: { token: member.refreshToken },
  });
  assert.equal(logout.status, 200);
  assert.equal((await call('GET', `${path}/orders`, { token: member.token })).status, 401);
});

test('a checkout with stock that the replica has not seen sells it once', async (t) => {
  await pauseInUse(t);
  const { body: product } = await call('POST', `${path}/products`, {
    token,
    body: {
      name: 'Last one',
      statuses: [{ status: 'ACTIVE' }],
      variants: [
        {
          id: 'main',
          name: 'Main',
          inventory: { tracked: true, quantity: 1 },
          pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1200 }] },
        },
      ],
    },
  });
  const buyer = await h.guest();
  const buy = () =>
    call('POST', `${path}/orders/checkout`, {
      token: buyer.token,
      body: {
        businessId,
        market: 'us',
        paymentMethod: 'CASH',
        items: [{ productId: product.id, variantId: 'main', quantity: 1 }],
      },
    });
  const statuses = [(await buy()).status, (await buy()).status];
  assert.equal(statuses[0], 200);
  assert.notEqual(statuses[1], 200);
});

test('without the replica, the service is ready and serves reads', async () => {
  await replay.wait();
  await standby.stop('SIGKILL');
  const { email } = await addCustomer();
  assert.ok((await listEmails()).includes(email));
  assert.equal((await call('GET', '/readyz')).status, 200);
});
