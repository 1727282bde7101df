import assert from 'node:assert/strict';
import test from 'node:test';
import type { Permission } from '../../../src/shared/security/caller.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { openShop } from '../shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { base, businessId, customer, staff } = shop;
const { token } = staff;
const productId = await shop.product({ quantity: null });

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  by = token,
  headers: Record<string, string> = {},
) => h.call(method, `${base}/orders${path}`, { token: by, headers, ...(body === undefined ? {} : { body }) });

async function createOrder(fields: Json = {}): Promise<string> {
  const lines = [{ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity: 1 }];
  const { body } = await call('POST', '', { customerId: customer.userId, market: 'us', lines, ...fields });
  assert.ok(body.id, JSON.stringify(body));
  return body.id;
}

const update = (id: string, fields: Json, headers: Record<string, string> = {}) =>
  call('PUT', '/update', { id, ...fields }, token, headers);
const idsOf = async (query: string) => (await call('GET', `?count=true&${query}`)).body;

async function eventsOf(id: string) {
  await h.numberEvents(businessId);
  return h.pool<{ type: string; data: Json }[]>`
    select type, data from events where business_id = ${businessId} and entity = ${`order:${id}`} order by position`;
}

/** A member who has used the role, so that the business can see the name. */
async function colleague(...permissions: Permission[]) {
  const member = await h.member(businessId, ...permissions);
  await h.call('GET', `${base}/orders`, { token: member.token });
  return member;
}

test('tags and assignee change with If-Match like other fields, and tags that differ only in case are merged', async () => {
  const id = await createOrder();
  const read = await call('GET', `/${id}`);
  const etag = read.headers.get('etag')!;
  const changed = await update(id, { tags: [' Gift ', 'gift', 'VIP'], assignee: staff.userId }, { 'if-match': etag });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual([changed.body.tags, changed.body.assignee], [['Gift', 'VIP'], staff.userId]);
  assert.equal((await update(id, { tags: [] }, { 'if-match': etag })).status, 412);
  const again = await update(id, changed.body);
  assert.equal(again.headers.get('etag'), changed.headers.get('etag'));
  assert.equal(again.headers.get('souk-ignored'), null);
});

test('staff can create an order with tags and an assignee', async () => {
  const id = await createOrder({ tags: ['New', 'new'], assignee: staff.userId });
  const order = (await call('GET', `/${id}`)).body;
  assert.deepEqual([order.tags, order.assignee], [['New'], staff.userId]);
  assert.deepEqual(
    (await idsOf('tag=new')).items.map((each: Json) => each.id),
    [id],
  );
});

test('an order has at most 20 tags of 40 characters', async () => {
  const id = await createOrder();
  const many = Array.from({ length: 21 }, (_, i) => `tag ${i}`);
  assert.equal((await update(id, { tags: many })).status, 422);
  assert.equal((await update(id, { tags: ['x'.repeat(41)] })).status, 422);
  await update(id, { tags: many.slice(0, 20) });
  const { body } = await call('PUT', '/tags', { items: [{ orderId: id, add: ['one more'] }] });
  assert.equal(body.items[0].error.details[0].error, 'TOO_LONG');
});

test('only a member who can see orders can be the assignee, and the assignee is hidden once the member has left', async () => {
  const id = await createOrder();
  const editor = await colleague('CONTENT_WRITE');
  const { body } = await update(id, { assignee: editor.userId });
  assert.deepEqual(
    body.details.map(({ field, error }: Json) => [field, error]),
    [['assignee', 'NOT_FOUND']],
  );
  const packer = await colleague('ORDER_READ');
  assert.equal((await update(id, { assignee: packer.userId })).body.assignee, packer.userId);
  assert.deepEqual(
    (await idsOf(`assignee=${packer.userId}`)).items.map((each: Json) => each.id),
    [id],
  );
  await h.pool`delete from members where business_id = ${businessId} and user_id = ${packer.userId}`;
  assert.equal((await call('GET', `/${id}`)).body.assignee, null);
  assert.equal((await idsOf('')).items.find((each: Json) => each.id === id).assignee, null);
});

test('customers and members who do not work on orders never see tags, assignees or notes', async () => {
  const buyer = await h.member(businessId, 'CONTENT_READ');
  for (const person of [customer, buyer]) {
    const id = await createOrder({ customerId: person.userId });
    await update(id, { tags: ['secret'], assignee: staff.userId });
    await call('POST', `/${id}/notes`, { text: 'secret' });
    const own = (await call('GET', `/${id}`, undefined, person.token)).body;
    const [listed] = (await call('GET', '?limit=1', undefined, person.token)).body.items;
    for (const order of [own, listed]) {
      assert.equal(order.id, id);
      assert.deepEqual([order.tags, order.assignee, order.notes], [undefined, undefined, undefined]);
    }
    assert.deepEqual((await call('GET', '?tag=secret', undefined, person.token)).body.items, []);
    assert.deepEqual((await call('GET', `?assignee=${staff.userId}`, undefined, person.token)).body.items, []);
    for (const path of ['/tags', '/staff'])
      assert.equal((await call('GET', path, undefined, person.token)).status, 403);
  }
});

test('lists filter by tag, assignee, country, fulfillment and payment status in any combination, with counts', async () => {
  const address = (country: string) => ({ shippingAddress: { country, city: 'X' } });
  const [a, b, c] = [
    await createOrder(address('DE')),
    await createOrder(address('de')),
    await createOrder(address('FR')),
  ];
  for (const id of [a, c]) await update(id, { tags: ['Filter'] });
  for (const id of [a, b]) await update(id, { assignee: staff.userId });
  await call('PUT', `/${a}/payment-status`, { status: 'PAID' });
  const found = async (query: string) => {
    const { items, total } = await idsOf(query);
    const known = items.map((each: Json) => each.id).filter((id: string) => [a, b, c].includes(id));
    assert.equal(total, items.length);
    return known.sort();
  };
  assert.deepEqual(await found('tag=filter'), [a, c].sort());
  assert.deepEqual(await found('country=de'), [a, b].sort());
  assert.deepEqual(await found(`tag=FILTER&country=DE&assignee=${staff.userId}&paymentStatus=PAID`), [a]);
  assert.deepEqual(
    await found('tag=filter&statuses=PENDING&statuses=PROCESSING&fulfillment=UNFULFILLED'),
    [a, c].sort(),
  );
  assert.deepEqual(await found('tag=filter&country=FR&paymentStatus=PAID'), []);
  const pages = (await call('GET', '?tag=filter&limit=1')).body;
  const rest = (await call('GET', `?tag=filter&limit=1&cursor=${pages.cursor}`)).body;
  assert.deepEqual([pages.items[0].id, rest.items[0].id, rest.cursor], [c, a, null]);
});

test('a bulk request adds and removes tags of each order and reports the ones that fail', async () => {
  const [a, b] = [await createOrder(), await createOrder()];
  await update(a, { tags: ['old', 'kept'] });
  const items = [
    { orderId: a, add: ['Bulk'], remove: ['OLD'] },
    { orderId: 'ord_none', add: ['x'] },
    { orderId: b, add: [1] },
  ];
  const { body } = await call('PUT', '/tags', { items: [...items, { orderId: b, add: ['bulk'] }] });
  assert.deepEqual(
    body.items.map(({ result, error }: Json) => result?.tags ?? error.error),
    [['kept', 'Bulk'], 'NOT_FOUND', 'VALIDATION_FAILED', ['bulk']],
  );
  assert.deepEqual((await idsOf('tag=bulk')).items.map(({ id }: Json) => id).sort(), [a, b].sort());
  assert.deepEqual((await idsOf('tag=old')).items, []);
  const used = (await call('GET', '/tags')).body.items.map(({ tag }: Json) => tag);
  assert.ok(used.includes('Bulk') && used.includes('kept') && !used.includes('old'), String(used));
});

test('no tag is lost when two members tag an order at once', async () => {
  const id = await createOrder();
  const tags = Array.from({ length: 10 }, (_, i) => `t${i}`);
  await Promise.all(tags.map((tag) => call('PUT', '/tags', { items: [{ orderId: id, add: [tag] }] })));
  assert.deepEqual((await call('GET', `/${id}`)).body.tags.sort(), tags);
});

test('a mention emails the member once, with a link to the order, and emits an event', async () => {
  const id = await createOrder();
  const grace = await colleague('ORDER_READ');
  const { number } = (await call('GET', `/${id}`)).body;
  const mentions = [grace.userId, staff.userId, grace.userId];
  const { body: note } = await call('POST', `/${id}/notes`, { text: 'Please pack @Grace', mentions });
  assert.deepEqual([note.mentions, note.userId], [[grace.userId, staff.userId], staff.userId]);
  await call('PUT', `/${id}/notes/${note.id}`, { text: 'Please pack today', mentions: [grace.userId] });
  const mails = ((await h.mailbox()) as Json[]).filter(
    ({ subject }) => subject.includes(`order #${number}`) && subject.includes('mentioned'),
  );
  assert.deepEqual(
    mails.map(({ to }) => to),
    [grace.email],
  );
  assert.match(mails[0]!.text, new RegExp(`/admin/${businessId}/orders/${id}\\n[^]*Please pack @Grace\\n`));
  const events = (await eventsOf(id)).filter(({ type }) => type.startsWith('order.note'));
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.mentions]),
    [
      ['order.note_created', [grace.userId, staff.userId]],
      ['order.note_updated', [grace.userId]],
    ],
  );
});

test('only members who can see orders can be mentioned', async () => {
  const id = await createOrder();
  const editor = await colleague('CONTENT_WRITE');
  const { status, body } = await call('POST', `/${id}/notes`, {
    text: 'x',
    mentions: [staff.userId, customer.userId, editor.userId],
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.details.map(({ field }: Json) => field),
    ['mentions[1]', 'mentions[2]'],
  );
});

test('only the author of a note and admins can change or delete it', async () => {
  const id = await createOrder();
  const { body: note } = await call('POST', `/${id}/notes`, { text: 'first' });
  const other = await colleague('ORDER_WRITE');
  const admin = await colleague('ADMIN');
  const path = `/${id}/notes/${note.id}`;
  assert.equal((await call('PUT', path, { text: 'changed' }, other.token)).status, 403);
  assert.equal((await call('DELETE', path, undefined, other.token)).status, 403);
  assert.equal((await call('PUT', path, { text: 'changed' })).body.text, 'changed');
  assert.equal((await call('PUT', path, { text: 'by admin' }, admin.token)).status, 200);
  const [shown] = (await call('GET', `/${id}`)).body.notes;
  assert.deepEqual([shown.text, shown.userId], ['by admin', staff.userId]);
  assert.equal((await call('DELETE', path, undefined, admin.token)).status, 200);
  assert.deepEqual((await call('GET', `/${id}`)).body.notes, []);
  assert.equal((await call('DELETE', path)).status, 404);
});

test('events about an order contain its tags and assignee but no notes', async () => {
  const id = await createOrder();
  await call('POST', `/${id}/notes`, { text: 'quiet' });
  await update(id, { tags: ['loud'] });
  const { data } = (await eventsOf(id)).find(({ type }) => type === 'order.updated')!;
  assert.deepEqual([data.tags, data.notes], [['loud'], undefined]);
});

test('erasing a customer removes notes and tags from their orders', async () => {
  const admin = await colleague('ADMIN');
  const guest = await h.user();
  const id = await createOrder({ customerId: guest.userId });
  await update(id, { tags: ['Mrs Smith'] });
  await call('POST', `/${id}/notes`, { text: 'Mrs Smith called' });
  const path = `${base}/customers/${guest.userId}/personal-data` as const;
  const { status } = await h.call('DELETE', path, { token: admin.token });
  assert.equal(status, 200);
  await h.drain();
  const order = (await call('GET', `/${id}`)).body;
  assert.deepEqual([order.tags, order.notes], [[], []]);
  assert.deepEqual((await idsOf('tag=mrs%20smith')).items, []);
});

test('a customer’s orders are found by record and by email, and payments are summed by currency', async () => {
  const admin = await colleague('ADMIN');
  const person = await h.user();
  const { body: record } = await h.call('POST', `${base}/customers`, {
    token: admin.token,
    body: { name: 'Eve', email: 'eve@example.com' },
  });
  const byRecord = await createOrder({ customerId: record.id });
  const byEmail = await createOrder({ email: 'Eve@example.com' });
  const unpaid = await createOrder({ customerId: record.id });
  for (const id of [byRecord, byEmail]) await call('PUT', `/${id}/payment-status`, { status: 'PAID' });
  await call('POST', `/${byEmail}/refund`, { amount: 400 });
  const found = (await call('GET', `?customerId=${record.id}`)).body.items.map(({ id }: Json) => id);
  assert.deepEqual(found.sort(), [byEmail, byRecord, unpaid].sort());
  const path = `${base}/customers/${record.id}/spend` as const;
  const { body } = await h.call('GET', path, { token });
  assert.deepEqual(body.items, [{ currency: 'usd', orders: 2, paid: 2000, refunded: 400, spend: 1600 }]);
  assert.equal((await h.call('GET', path, { token: person.token })).status, 403);
});
