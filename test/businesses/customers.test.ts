import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await startHarness();

async function open() {
  const shop = await openShop(h);
  const support = await h.member(shop.businessId, 'CUSTOMER_READ', 'CUSTOMER_WRITE');
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    h.call(method, `${shop.base}/customers${path}`, { token: support.token, body, headers });
  const make = async (body: object): Promise<Json> => {
    const answer = await call('POST', '', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const names = async (query: string) => (await call('GET', `?${query}`)).body.items.map(({ name }: Json) => name);
  return { ...shop, support, call, make, names };
}

const ada = {
  email: 'Ada@example.com',
  name: 'Ada Lovelace',
  phone: '+44 20 7946 0958',
  addresses: [{ street: 'St James’s Square 12', city: 'London', country: 'GB' }],
  tags: ['regular', 'wholesale'],
  note: 'Calls in the evening.\nNever before six.',
  consent: { source: 'trade fair', at: 1_763_164_800 },
};

test('a customer is made, read, changed and deleted, and an outdated If-Match is 412', async () => {
  const { call, make, businessId } = await open();
  const { id, createdAt, updatedAt, ...made } = await make({ ...ada, tags: [...ada.tags, 'regular'], userId: 'usr_x' });
  assert.match(id, /^cust_/);
  assert.deepEqual(made, { ...ada, businessId, userId: null });
  const read = await call('GET', `/${id}`);
  assert.deepEqual(read.body, { id, createdAt, updatedAt, ...made });
  const etag = read.headers.get('etag')!;
  assert.equal((await call('GET', '')).body.items[0].etag, etag);

  const changed = await call('PUT', `/${id}`, { note: '', tags: [] }, { 'if-match': etag });
  assert.deepEqual([changed.body.note, changed.body.tags, changed.body.name], ['', [], ada.name]);
  for (const method of ['PUT', 'DELETE']) {
    assert.equal((await call(method, `/${id}`, {}, { 'if-match': etag })).status, 412, method);
  }
  assert.equal((await call('PUT', `/${id}`, changed.body)).status, 200, 'sent back whole');
  assert.deepEqual((await call('DELETE', `/${id}`)).body, { success: true });
  assert.equal((await call('GET', `/${id}`)).status, 404);
});

test('an e-mail is unique in the business, in any case, and free in another', async () => {
  const { call, make } = await open();
  await make(ada);
  const other = await make({ name: 'Other' });
  for (const answer of [
    await call('POST', '', { email: 'ada@EXAMPLE.com' }),
    await call('PUT', `/${other.id}`, { email: 'ADA@example.com' }),
  ]) {
    assert.equal(answer.status, 422);
    assert.deepEqual([answer.body.details[0].field, answer.body.details[0].error], ['email', 'DUPLICATE']);
  }
  await (await open()).make(ada);
});

test('customers are found by name, e-mail, phone and tags, page by page, and a cursor is of no use elsewhere', async () => {
  const { call, make, names } = await open();
  for (const name of ['Ada', 'Bob', 'Cyd']) {
    await make({ name, email: `${name}@example.com`, phone: '+49 30 1', tags: name === 'Bob' ? ['a'] : ['a', 'b'] });
  }
  assert.deepEqual(await names('query=BOB%40'), ['Bob']);
  assert.deepEqual(await names('query=%2B49'), ['Cyd', 'Bob', 'Ada']);
  assert.deepEqual(await names('query=%25'), [], 'a wildcard is a character');
  assert.deepEqual(await names('tags=a,b'), ['Cyd', 'Ada']);
  const first = await call('GET', '?limit=2');
  assert.deepEqual(await names(`limit=2&cursor=${first.body.cursor}`), ['Ada']);
  const elsewhere = await (await open()).call('GET', `?cursor=${first.body.cursor}`);
  assert.equal(elsewhere.status, 400);
});

test('making a customer tells nothing of accounts; when the account orders, the record becomes theirs', async () => {
  const { call, make, checkout, product, customer, names } = await open();
  const before = await make({ email: customer.email, note: 'Met at the fair.' });
  assert.deepEqual([before.userId, before.name], [null, '']);
  assert.deepEqual(await names(`userId=${customer.userId}`), []);

  assert.equal((await checkout(await product(), { paymentMethod: 'CASH' })).status, 200);
  const { body } = await call('GET', `/${before.id}`);
  assert.deepEqual([body.userId, body.name, body.note], [customer.userId, 'Ada', 'Met at the fair.']);
  assert.deepEqual(await names(`userId=${customer.userId}`), ['Ada']);
  // The account's name stays the account's when the record is sent back.
  await call('PUT', `/${before.id}`, body);
  await h.call('PUT', '/v1/users', { token: customer.token, body: { name: 'Countess' } });
  assert.equal((await call('GET', `/${before.id}`)).body.name, 'Countess');
});

test('a page of large records is cut at 2 MiB and goes on', async () => {
  const { call, businessId } = await open();
  const addresses = JSON.stringify(Array.from({ length: 20 }, () => ({ street: 'x'.repeat(5000) })));
  await h.pool`insert into customers (business_id, id, addresses, created_at, updated_at)
    select ${businessId}, 'cust_' || lpad(i::text, 3, '0'), ${addresses}::jsonb, 1, 1 from generate_series(1, 30) i`;
  const first = (await call('GET', '?limit=100')).body;
  assert.ok(JSON.stringify(first).length < 2.2 * 1024 * 1024);
  const rest = (await call('GET', `?limit=100&cursor=${first.cursor}`)).body;
  assert.equal(first.items.length + rest.items.length, 30);
});

test('what is wrong with a customer is named', async () => {
  const { call } = await open();
  const wrong = { email: 'x', name: 'two\nlines', phone: 'call me', tags: ['', 'a\r\nb'], consent: { source: 'x' } };
  const { status, body } = await call('POST', '', wrong);
  assert.equal(status, 422);
  const fields = body.details.map(({ field }: Json) => field);
  assert.deepEqual(fields.sort(), ['consent.at', 'email', 'name', 'phone', 'tags[0]', 'tags[1]']);
  assert.equal((await call('POST', '', { note: 'nobody' })).status, 422);
});

test('one Idempotency-Key makes one customer', async () => {
  const { call } = await open();
  const send = () => call('POST', '', { name: 'Once' }, { 'idempotency-key': 'k' });
  assert.equal((await send()).body.id, (await send()).body.id);
});
