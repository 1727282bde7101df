import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();

async function open() {
  const shop = await openShop(h);
  const support = await h.member(shop.businessId, 'CUSTOMER_READ', 'CUSTOMER_WRITE');
  const call = <M extends string, P extends string>(
    method: M,
    path: P,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => h.call(method, `${shop.base}/customers${path}`, { token: support.token, body, headers });
  const create = async (body: object) => {
    const response = await call('POST', '', body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const names = async (query: string) => (await call('GET', `?${query}`)).body.items.map(({ name }) => name);
  return { ...shop, support, call, create, names };
}

const ada = {
  email: 'Ada@example.com',
  name: 'Ada Lovelace',
  phone: '+44 20 7946 0958',
  addresses: [{ street: 'St James’s Square 12', city: 'London', state: '', zip: 'SW1Y', country: 'GB' }],
  tags: ['regular', 'wholesale'],
  note: 'Calls in the evening.\nNever before six.',
  consent: { source: 'trade fair', at: 1_763_164_800 },
};

test('a customer can be created, read, updated and deleted, and an outdated If-Match fails with 412', async () => {
  const { call, create, businessId } = await open();
  const { id, createdAt, updatedAt, ...created } = await create({
    ...ada,
    tags: [...ada.tags, 'regular'],
    userId: 'usr_x',
  });
  assert.match(id, /^cust_/);
  const none = { shippingAddress: null, billingAddress: null };
  assert.deepEqual(created, { ...ada, ...none, businessId, userId: null, hasAccount: false });
  const read = await call('GET', `/${id}`);
  assert.deepEqual(read.body, { id, createdAt, updatedAt, ...created });
  const etag = read.headers.get('etag')!;
  assert.equal((await call('GET', '')).body.items[0]!.etag, etag);

  const changed = await call('PUT', `/${id}`, { note: '', tags: [] }, { 'if-match': etag });
  assert.deepEqual([changed.body.note, changed.body.tags, changed.body.name], ['', [], ada.name]);
  for (const method of ['PUT', 'DELETE']) {
    assert.equal((await call(method, `/${id}`, {}, { 'if-match': etag })).status, 412, method);
  }
  assert.equal((await call('PUT', `/${id}`, changed.body)).status, 200, 'the whole record can be sent back');
  assert.deepEqual((await call('DELETE', `/${id}`)).body, { success: true });
  assert.equal((await call('GET', `/${id}`)).status, 404);
});

test('an address with missing parts is returned with all five parts', async () => {
  const { create } = await open();
  const { addresses } = await create({ name: 'Ada', addresses: [{ city: 'London' }] });
  assert.deepEqual(addresses, [{ street: '', city: 'London', state: '', zip: '', country: '' }]);
});

test('addresses with all their details can be saved, read and sent back', async () => {
  const { call, create } = await open();
  const details = { name: 'Ada', company: 'Engines', street2: 'Floor 2', phone: '+4420', vatId: 'FR40303265045' };
  const full = { street: '1 rue A', city: 'Lyon', state: '', zip: '69001', country: 'FR', ...details };
  const created = await create({ name: 'Ada', addresses: [full], shippingAddress: full, billingAddress: full });
  assert.deepEqual([created.addresses, created.shippingAddress, created.billingAddress], [[full], full, full]);
  const back = await call('PUT', `/${created.id}`, created);
  assert.deepEqual([back.body.addresses, back.body.shippingAddress], [[full], full]);
  const cleared = await call('PUT', `/${created.id}`, { shippingAddress: null });
  assert.deepEqual([cleared.body.shippingAddress, cleared.body.billingAddress], [null, full]);
});

test('an email is unique within the business, regardless of letter case', async () => {
  const { call, create } = await open();
  await create(ada);
  const other = await create({ name: 'Other' });
  for (const response of [
    await call('POST', '', { email: 'ada@EXAMPLE.com' }),
    await call('PUT', `/${other.id}`, { email: 'ADA@example.com' }),
  ]) {
    assert.equal(response.status, 422);
    assert.deepEqual([response.body.details[0]!.field, response.body.details[0]!.error], ['email', 'DUPLICATE']);
  }
  await (await open()).create(ada);
});

test('customers are found by name, email, phone and tags, and a cursor works only for its own business', async () => {
  const { call, create, names } = await open();
  for (const name of ['Ada', 'Bob', 'Cyd']) {
    await create({ name, email: `${name}@example.com`, phone: '+49 30 1', tags: name === 'Bob' ? ['a'] : ['a', 'b'] });
  }
  assert.deepEqual(await names('query=BOB%40'), ['Bob']);
  assert.deepEqual(await names('query=%2B49'), ['Cyd', 'Bob', 'Ada']);
  assert.deepEqual(await names('query=%25'), [], 'a wildcard is taken literally');
  assert.deepEqual(await names('tags=a,b'), ['Cyd', 'Ada']);
  const first = await call('GET', '?limit=2');
  assert.deepEqual(await names(`limit=2&cursor=${first.body.cursor}`), ['Ada']);
  const elsewhere = await (await open()).call('GET', `?cursor=${first.body.cursor}`);
  assert.equal(elsewhere.status, 400);
});

test("creating a customer doesn't reveal whether an account exists, and an order from the account links the record", async () => {
  const { call, create, checkout, product, customer, names } = await open();
  const before = await create({ email: customer.email, note: 'Met at the fair.' });
  assert.deepEqual([before.userId, before.name], [null, '']);
  assert.deepEqual(await names(`userId=${customer.userId}`), []);

  assert.equal((await checkout(await product(), { paymentMethod: 'CASH' })).status, 200);
  const { body } = await call('GET', `/${before.id}`);
  assert.deepEqual([body.userId, body.name, body.note], [customer.userId, 'Ada', 'Met at the fair.']);
  assert.deepEqual(await names(`userId=${customer.userId}`), ['Ada']);
  // Sending back the record does not copy the account's name into it.
  await call('PUT', `/${before.id}`, body);
  await h.call('PUT', '/v1/users', { token: customer.token, body: { name: 'Countess' } });
  assert.equal((await call('GET', `/${before.id}`)).body.name, 'Countess');
});

test('a page of large records ends at 2 MiB, and the next one continues', async () => {
  const { call, businessId } = await open();
  const addresses = JSON.stringify(Array.from({ length: 20 }, () => ({ street: 'x'.repeat(5000) })));
  await h.pool`insert into customers (business_id, id, addresses, created_at, updated_at)
    select ${businessId}, 'cust_' || lpad(i::text, 3, '0'), ${addresses}::jsonb, 1, 1 from generate_series(1, 30) i`;
  const first = (await call('GET', '?limit=100')).body;
  assert.ok(JSON.stringify(first).length < 2.2 * 1024 * 1024);
  const rest = (await call('GET', `?limit=100&cursor=${first.cursor}`)).body;
  assert.equal(first.items.length + rest.items.length, 30);
});

test('all invalid fields of a customer are reported', async () => {
  const { call } = await open();
  const wrong = { email: 'x', name: 'two\nlines', phone: 'call me', tags: ['', 'a\r\nb'], consent: { source: 'x' } };
  const { status, body } = await call('POST', '', wrong);
  assert.equal(status, 422);
  const fields = body.details.map(({ field }) => field);
  assert.deepEqual(fields.sort(), ['consent.at', 'email', 'name', 'phone', 'tags[0]', 'tags[1]']);
  assert.equal((await call('POST', '', { note: 'nobody' })).status, 422);
});

test('one Idempotency-Key creates one customer', async () => {
  const { call } = await open();
  const send = () => call('POST', '', { name: 'Once' }, { 'idempotency-key': 'k' });
  assert.equal((await send()).body.id, (await send()).body.id);
});
