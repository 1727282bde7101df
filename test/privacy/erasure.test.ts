import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { de } from '../../admin/text/de/index.ts';
import { en } from '../../admin/text/en/index.ts';
import type { Steps } from '../../src/context/index.ts';
import { KEPT_DATA, KEPT_REASONS, type PersonalDataHolder } from '../../src/context/personal-data.ts';
import { eraseAccount } from '../../src/domains/privacy/erase-account.ts';
import { erasePerson } from '../../src/domains/privacy/erase-person.ts';
import type { PrivacyServices } from '../../src/domains/privacy/index.ts';
import { newEmail } from '../accounts/people.ts';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { ok } from '../newsletters/fixture.ts';
import { eventually } from '../service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createPersonalData, findTraces, openBusiness, PERSONAL_DATA, register, wordsOf } from './person.ts';

const h = await shareHarness();
const jobContext = (businessId: string, signal?: AbortSignal) =>
  h.service.contexts.steps({ caller: null, businessId, address: '' }, signal) as Steps<PrivacyServices>;

/** Aborts after one batch. */
function afterOneBatch(): AbortSignal {
  let reads = 0;
  return {
    get aborted() {
      return ++reads > 1;
    },
  } as AbortSignal;
}

test('the admin has a label for everything that an erasure erases or keeps', () => {
  const holders = jobContext('biz_any').privacy.holders.map(({ name }) => name);
  const keys = [...[...holders, ...KEPT_DATA].map((what) => `what_${what}`), ...KEPT_REASONS.map((r) => `reason_${r}`)];
  for (const [language, { privacy }] of Object.entries({ en, de }))
    for (const key of keys) assert.ok(key in privacy, `${key} has no text in "${language}"`);
});

test('deleting an account erases all personal data from every table and keeps only order amounts and invoices', async () => {
  const [first, second] = [await openBusiness(h), await openBusiness(h)];
  const ada = await register(h, newEmail());
  const traces = await createPersonalData(h, first, ada);
  await createPersonalData(h, second, ada);
  await h.numberEvents(first.businessId);
  const before = await findTraces(h, wordsOf(ada.email));
  for (const where of [
    'users.email',
    'orders.doc',
    'payments.doc',
    'subscriptions.name',
    'deliveries.email',
    'events.data',
  ])
    assert.ok(before.includes(`public.${where}`), where);

  const { body } = await h.call('DELETE', '/v1/users/me', { token: ada.token, body: { password: ada.password } });
  assert.equal(body.success, true, JSON.stringify(body));
  assert.equal((await h.call('GET', '/v1/users/me', { token: ada.token })).status, 401);
  await h.drain();

  assert.deepEqual(await findTraces(h, wordsOf(ada.email)), ['public.documents.snapshot']);
  const erasure = await ok(h.call('GET', `/v1/users/erasures/${body.erasureId}`));
  assert.equal(erasure.status, 'DONE');
  const countOf = (list: Json[], what: string) => list.find((item) => item.what === what)?.count;
  assert.deepEqual(
    ['orders', 'subscriptions', 'deliveries', 'customers'].map((what) => countOf(erasure.report.erased, what)),
    [4, 2, 2, 6],
  );
  assert.ok(erasure.report.kept.some(({ what, reason }) => what === 'orders' && reason === 'ACCOUNTING'));

  const order = await ok(h.call('GET', `${first.base}/orders/${traces.orderId}`, { token: first.admin.token }));
  assert.deepEqual([order.total, order.email, order.blocks, order.lines.length], [2000, null, [], 1]);
  const trackings = order.shipments.map(({ tracking }) => tracking);
  assert.deepEqual(trackings, [{ carrier: 'Post', number: 'RR 4711 0815 DE' }, { carrier: 'Post' }]);
  const [last] = (await h.mailbox()).filter(({ to }) => to === ada.email) as Json[];
  assert.match(last.text, /Only the amounts are kept, without your name and address/);
});

test('a business erases only the data it holds, not data of other businesses or of the account', async () => {
  const [mine, theirs] = [await openBusiness(h), await openBusiness(h)];
  const ada = await register(h, newEmail());
  const { customerId } = await createPersonalData(h, mine, ada);
  await createPersonalData(h, theirs, ada);
  const path = `${mine.base}/customers/${customerId}/personal-data` as const;
  const erasure = await ok(h.call('DELETE', path, { token: mine.admin.token }));
  assert.equal(erasure.status, 'RUNNING');
  await h.drain();
  const done = await ok(h.call('GET', `${mine.base}/erasures/${erasure.id}`, { token: mine.admin.token }));
  assert.equal(done.status, 'DONE');
  assert.equal(
    (await h.call('GET', `${theirs.base}/erasures/${erasure.id}`, { token: theirs.admin.token })).status,
    404,
  );

  const tables = await h.pool<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'business_id' and table_name not in ('erasures', 'documents')`;
  for (const { name } of tables) {
    const rows = await h.pool<{ text: string }[]>`
      select t::text as text from ${h.pool([name])} t where business_id = ${mine.businessId}`;
    for (const word of wordsOf(ada.email)) assert.ok(!rows.some(({ text }) => text.includes(word)), `${name}: ${word}`);
  }
  const me = await ok(h.call('GET', '/v1/users/me', { token: ada.token }));
  assert.equal(me.name, PERSONAL_DATA.name);
  const { items } = await ok(h.call('GET', `${theirs.base}/customers`, { token: theirs.admin.token }));
  assert.ok(items.some(({ name }) => name === PERSONAL_DATA.name));
});

test('an erasure interrupted after each batch ends with the same report and counts nothing twice', async () => {
  const business = await openBusiness(h);
  const ada = await register(h, newEmail());
  const { customerId } = await createPersonalData(h, business, ada);
  const { token } = business.admin;
  const erase = () => ok(h.call('DELETE', `${business.base}/customers/${customerId}/personal-data`, { token }));
  const concurrent = await Promise.all(Array.from({ length: 8 }, erase));
  const { id } = await erase();
  for (const each of concurrent) assert.equal(each.id, id, 'concurrent and repeated requests share one erasure');
  const job = { businessId: business.businessId, erasureId: id as string };
  let rounds = 0;
  for (let isDone = false; !isDone; rounds++) {
    isDone = await erasePerson(jobContext(business.businessId, afterOneBatch()), job).then(
      () => true,
      () => false,
    );
  }
  assert.ok(rounds > 4, `${rounds}`);
  await erasePerson(jobContext(business.businessId), job);
  const { report, status } = await ok(h.call('GET', `${business.base}/erasures/${id}`, { token }));
  assert.equal(status, 'DONE');
  assert.deepEqual(report.erased, [
    { what: 'customers', count: 3 },
    { what: 'orders', count: 2 },
    { what: 'subscriptions', count: 1 },
    { what: 'deliveries', count: 1 },
  ]);
  const emitted =
    await h.pool`select from events where business_id = ${business.businessId} and type = 'customer.erased'
    union all select from event_outbox where business_id = ${business.businessId} and type = 'customer.erased'`;
  assert.equal(emitted.length, 1);
  const stored = await h.pool<{ person: string | null }[]>`select person from erasures where id = ${id}`;
  assert.equal(stored[0]!.person, null);
});

test('an erasure drops pending emails to the person and their idempotency keys', async () => {
  const business = await openBusiness(h);
  const ada = await register(h, newEmail());
  const { customerId } = await createPersonalData(h, business, ada);
  const mailsToAda = async () => (await h.mailbox()).filter(({ to }) => to === ada.email).length;
  const before = await mailsToAda();
  const headers = { 'idempotency-key': 'once-more' };
  const body = { email: ada.email, planId: 'free' };
  const path = `${business.base}/collections/${business.newsletterId}/subscribe` as const;
  assert.equal((await h.call('POST', path, { token: ada.token, headers, body })).status, 200);
  const roles = await ok(h.call('GET', `/v1/roles?businessId=${business.businessId}`, { token: business.admin.token }));
  await business.post('invitation', { email: ada.email, roleIds: [roles.items[0]!.id] });
  const keys = () => h.pool`
    select from idempotency_keys where business_id = ${business.businessId} and user_id = ${ada.userId}`;
  assert.ok((await keys()).length > 0);
  await ok(h.call('DELETE', `${business.base}/customers/${customerId}/personal-data`, { token: business.admin.token }));
  await h.drain('erase-person');
  assert.equal((await keys()).length, 0);
  assert.equal(await mailsToAda(), before);
});

test('retrying another user’s request neither returns erased data nor runs the request again', async () => {
  const business = await openBusiness(h);
  const { token } = business.admin;
  const ada = await register(h, newEmail());
  const { customerId } = await createPersonalData(h, business, ada);
  const lines = [{ productId: business.productId, variantId: 'main', quantity: 1 }];
  const blocks = [{ id: 'address', type: 'TEXT', value: PERSONAL_DATA.street }];
  const requests: [string, string, object][] = [
    ['mine', 'orders', { customerId: ada.userId, market: 'us', lines, blocks }],
    ['typed', 'orders', { customerId: business.admin.userId, market: 'us', lines, email: ada.email.toUpperCase() }],
    ['others', 'customers', { name: 'Grace', email: newEmail() }],
  ];
  const sendAll = () =>
    Promise.all(
      requests.map(([key, path, body]) =>
        h.call('POST', `${business.base}/${path}`, { token, body, headers: { 'idempotency-key': key } }),
      ),
    );
  // More than one batch of keys.
  await h.pool`insert into idempotency_keys (business_id, user_id, key, fingerprint, answer, expires_at)
    select ${business.businessId}, '', n::text, '', '"v1.sealed with another key"', now() + interval '1 day' from generate_series(1, 250) n`;
  const first = await sendAll();
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 200, 200],
  );
  const countOrders = async () => (await h.pool`select from orders where business_id = ${business.businessId}`).length;
  const orders = await countOrders();
  await ok(h.call('DELETE', `${business.base}/customers/${customerId}/personal-data`, { token }));
  await h.drain();
  const [mine, typed, others] = await sendAll();
  assert.deepEqual([mine!.status, typed!.status], [409, 409]);
  assert.match(mine!.body.message, /erased/);
  assert.deepEqual(others!.body, first[2]!.body, 'responses without the person are unchanged');
  assert.equal(await countOrders(), orders);
});

test('a person with neither email nor account is erased by ID, including from stored responses and unnumbered events', async () => {
  const business = await openBusiness(h);
  const { token } = business.admin;
  const [name, street] = ['Ottilie Zwanziger', 'Mirabellenweg 8'];
  const guest = await h.guest();
  const create = (path: string, body: object) =>
    h.call('POST', `${business.base}/${path}`, { token, body, headers: { 'idempotency-key': path } });
  const lines = [{ productId: business.productId, variantId: 'main', quantity: 1 }];
  const blocks = [{ id: 'address', type: 'TEXT', value: street }];
  const record = () => create('customers', { name, phone: PERSONAL_DATA.phone });
  const order = () => create('orders', { customerId: guest.userId, market: 'us', lines, blocks });
  const { body: customer } = await record();
  const ofRecord = await business.post('orders', { customerId: customer.id, market: 'us', lines, blocks });
  const exported = await ok(h.call('GET', `${business.base}/customers/${customer.id}/personal-data`, { token }));
  for (const word of [name, street]) assert.ok(JSON.stringify(exported).includes(word), word);
  await h.drain('number-events');
  await h.pool.transaction(async (tx) => {
    await tx`select from event_heads where business_id = ${business.businessId} for update`;
    await ok(h.call('PUT', `${business.base}/customers/${customer.id}`, { token, body: { note: name } }));
    await ok(order());
    for (const id of [customer.id, guest.userId])
      await ok(h.call('DELETE', `${business.base}/customers/${id}/personal-data`, { token }));
    await h.drain('erase-person');
  });
  await h.drain('number-events');
  assert.equal((await h.call('GET', `${business.base}/customers/${customer.id}`, { token })).status, 404);
  assert.deepEqual([(await record()).status, (await order()).status], [409, 409]);
  assert.deepEqual((await ok(h.call('GET', `${business.base}/orders/${ofRecord.id}`, { token }))).blocks, []);
  assert.deepEqual(await findTraces(h, [name, street]), []);
});

test('an account erasure interrupted after each batch completes in every business with one report', async () => {
  const businesses = [await openBusiness(h), await openBusiness(h)];
  const ada = await register(h, newEmail());
  for (const business of businesses) await createPersonalData(h, business, ada);
  // Once this record is deleted, only the erasure itself shows that this business was affected.
  const third = await openBusiness(h);
  await third.post('customers', { name: PERSONAL_DATA.name, email: ada.email });
  const response = await h.call('DELETE', '/v1/users/me', { token: ada.token, body: { password: ada.password } });
  const job = { erasureId: response.body.erasureId as string };
  let rounds = 0;
  for (let isDone = false; !isDone && rounds < 100; rounds++) {
    isDone = await eraseAccount(jobContext('', afterOneBatch()), job).then(
      () => true,
      () => false,
    );
  }
  assert.ok(rounds > 8 && rounds < 100, `${rounds}`);
  await eraseAccount(jobContext(''), job);
  const { status, report } = await ok(h.call('GET', `/v1/users/erasures/${job.erasureId}`));
  const orders = report.erased.find(({ what }) => what === 'orders');
  assert.deepEqual([status, orders!.count], ['DONE', 4]);
  const each = await h.pool<Json[]>`select status, person from erasures where id = ${job.erasureId}`;
  assert.deepEqual(each, Array(3).fill({ status: 'DONE', person: null }));
  assert.equal(report.erased.find(({ what }) => what === 'customers')!.count, 7);
  const mails = (await h.mailbox()).filter(({ to, subject }: Json) => to === ada.email && /erased/.test(subject));
  assert.equal(mails.length, 1, 'the person is notified once');
});

test('an order placed during the erasure of the account is erased a minute later, and the erasure runs only once in other businesses', async () => {
  const [business, other] = [await openBusiness(h), await openBusiness(h)];
  const { businessId } = business;
  const ada = await register(h, newEmail());
  // Another process with its own connections.
  const { call } = await h.secondNode();
  const checkOut = ({ businessId: id, base, productId }: typeof business) => {
    const items = [{ productId, variantId: 'main', quantity: 1 }];
    const blocks = [{ id: 'address', type: 'TEXT', value: PERSONAL_DATA.street }];
    const body = { businessId: id, market: 'us', paymentMethod: 'CREDIT_CARD', items, blocks };
    return call('POST', `${base}/orders/checkout`, { token: ada.token, body });
  };
  for (const each of [business, other]) assert.equal((await checkOut(each)).status, 200);
  h.clock.advance(300);
  const { late } = await h.pool.transaction(async (tx) => {
    await tx`select from order_counters where business_id = ${businessId} for update`;
    const waiting = checkOut(business);
    await whenWaitingForLock(h.pool, waiting);
    await ok(h.call('DELETE', '/v1/users/me', { token: ada.token, body: { password: ada.password } }));
    await h.drain('erase-account');
    return { late: waiting };
  });
  assert.equal((await late).status, 200);
  assert.ok((await findTraces(h, [ada.email])).includes('public.orders.customer_email'));
  const left = await h.pool<{ id: string }[]>`select id from account_erasures where status = 'RUNNING'`;
  for (const { id } of left) await eraseAccount(jobContext(''), { erasureId: id });
  assert.deepEqual(await findTraces(h, [ada.email]), []);
  const orders = await h.pool<{ doc: Json }[]>`select doc from orders where customer_id = ${ada.userId}`;
  assert.deepEqual(
    orders.map(({ doc }) => doc.blocks),
    [[], [], []],
  );
  const erasures = await h.pool<{ businessId: string; times: number }[]>`
    select business_id, count(*)::int as times from erasures where business_id in (${businessId}, ${other.businessId})
    group by 1 order by 2`;
  assert.deepEqual(
    erasures.map(({ times }) => times),
    [1, 2],
  );
});

test('deleting an account requires the password or a recent login, and another ADMIN in each business', async () => {
  const ada = await register(h, newEmail());
  const remove = (body?: object, token = ada.token) => h.call('DELETE', '/v1/users/me', { token, body });
  assert.equal((await remove({ password: 'wrong-horse-1' })).body.details[0]!.error, 'PASSWORD_WRONG');
  h.clock.advance(601);
  assert.equal((await remove()).body.details[0]!.error, 'PASSWORD_REQUIRED');
  const apiTokens = [{ id: 'ci', name: 'CI' }];
  const { body } = await h.call('PUT', '/v1/users/update', { token: ada.token, body: { apiTokens } });
  const key = await h.call('DELETE', '/v1/users/me', {
    headers: { 'x-api-key': body.apiTokens[0]!.value },
    body: { password: ada.password },
  });
  assert.equal(key.status, 403);

  const { id: businessId } = await ok(h.call('POST', '/v1/businesses', { token: ada.token, body: { name: 'Hers' } }));
  const refused = await remove({ password: ada.password });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /"Hers"/);
  assert.equal((await h.call('GET', `/v1/businesses/${businessId}/promo-codes`, { token: ada.token })).status, 200);
  await h.member(businessId, 'ADMIN');
  const fresh = await h.call('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: ada.email, password: ada.password },
  });
  assert.equal((await remove(undefined, fresh.body.accessToken)).status, 200);
  assert.equal((await remove({ password: ada.password })).status, 401);
  const members = await h.pool`select from members where user_id = ${ada.userId}`;
  assert.equal(members.length, 0);
  const again = await h.call('POST', '/v1/users/register', {
    body: { provider: 'EMAIL', email: ada.email, password: ada.password },
  });
  assert.equal(again.status, 200, 'the email can be registered again');
});

test('when two ADMINs delete their accounts at the same time, one remains', async () => {
  const businessId = await h.business();
  const admins = [await h.member(businessId, 'ADMIN'), await h.member(businessId, 'ADMIN')];
  const responses = await Promise.all(admins.map(({ token }) => h.call('DELETE', '/v1/users/me', { token })));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409]);
});

test('a second worker waits for a running erasure and adds to its counts', async () => {
  const business = await openBusiness(h);
  const { id: customerId } = await business.post('customers', { name: PERSONAL_DATA.name, email: newEmail() });
  const { businessId } = business;
  const { token } = business.admin;
  const { id } = await ok(h.call('DELETE', `${business.base}/customers/${customerId}/personal-data`, { token }));
  const { working } = await h.pool.transaction(async (tx) => {
    const report = { erased: [{ what: 'customers', count: 7 }], kept: [] };
    await tx`update erasures set step = 1, report = ${tx.json(report)} where business_id = ${businessId} and id = ${id}`;
    const second = erasePerson(jobContext(businessId), { erasureId: id });
    await whenWaitingForLock(h.pool, second);
    return { working: second };
  });
  await working;
  const { report, status } = await ok(h.call('GET', `${business.base}/erasures/${id}`, { token }));
  assert.deepEqual([status, report.erased], ['DONE', [{ what: 'customers', count: 8 }]]);
});

test('holders are prepared before any data is erased, and a later worker neither prepares them again nor restarts', async () => {
  const business = await openBusiness(h);
  const { id: customerId } = await business.post('customers', { name: PERSONAL_DATA.name, email: newEmail() });
  const { token } = business.admin;
  const path = `${business.base}/customers/${customerId}/personal-data` as const;
  const { id } = await ok(h.call('DELETE', path, { token }));
  const { businessId } = business;
  const job = { businessId, erasureId: id as string };
  let prepared = 0;
  const partner: PersonalDataHolder = {
    name: 'partner',
    record: Type.Object({}),
    businessesOf: async () => [],
    list: async () => ({ items: [], next: null }),
    async prepare() {
      // Another worker starts at the same time and gets further.
      if (++prepared === 1)
        for (let i = 0; i < 3; i++) await erasePerson(jobContext(businessId, afterOneBatch()), job).catch(() => {});
      return [{ what: 'agreements', count: 1, reason: 'PAYMENT_PROVIDER' as const }];
    },
    erase: async () => ({ erased: 1, entities: [], next: null }),
  };
  const { privacy } = jobContext('');
  Object.assign(privacy, { holders: [...privacy.holders, partner] });
  await erasePerson(jobContext(businessId), job);
  const { report, status } = await ok(h.call('GET', `${business.base}/erasures/${id}`, { token }));
  assert.equal(prepared, 2, 'by the two workers that started it');
  assert.equal(status, 'DONE');
  assert.deepEqual(report.erased, [
    { what: 'customers', count: 1 },
    { what: 'partner', count: 1 },
  ]);
  assert.deepEqual(report.kept, [{ what: 'agreements', count: 1, reason: 'PAYMENT_PROVIDER' }]);
});

test('an erasure deletes stored webhook responses and emits customer.erased without personal data', async () => {
  const business = await openBusiness(h);
  const receiver = await startReceiver((call, response) => response.end(call.body));
  await business.post('webhooks', { url: receiver.url, events: ['*'] });
  const email = newEmail();
  const { id } = await business.post('customers', { name: PERSONAL_DATA.name, email });
  await business.post('products', { name: `Mug for ${email}` });
  await h.numberEvents(business.businessId);
  const node = await h.startNode();
  await node.service.work();
  const storedResponses = async () => {
    const rows = await h.pool<{ attempts: string }[]>`
      select attempts::text as attempts from webhook_deliveries where business_id = ${business.businessId}`;
    return rows.filter(({ attempts }) => attempts.includes(email)).length;
  };
  await eventually('the responses are stored', async () => (await storedResponses()) > 1);
  await h.call('DELETE', `${business.base}/customers/${id}/personal-data`, { token: business.admin.token });
  while (!receiver.calls.some(({ event }) => event.type === 'customer.erased'))
    await receiver.received(receiver.calls.length + 1);
  const { event } = receiver.calls.find((call) => call.event.type === 'customer.erased')!;
  assert.equal(event.data.subject, id);
  assert.equal(JSON.stringify(event).includes(PERSONAL_DATA.name), false);
  const rows = await h.pool<{ attempts: string; entity: string }[]>`
    select attempts, entity from webhook_deliveries where business_id = ${business.businessId}`;
  assert.ok(rows.length >= 2 && !JSON.stringify(rows).includes('Quackenbush'));
  assert.equal(await storedResponses(), 0, 'including events that only mention the person');
});
