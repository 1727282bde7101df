import assert from 'node:assert/strict';
import test from 'node:test';
import { callReceiver } from '../../src/domains/webhooks/call.ts';
import type { Steps } from '../../src/domains/webhooks/context.ts';
import { replay } from '../../src/domains/webhooks/fan-out.ts';
import { parseNetwork } from '../../src/providers/outbound/addresses.ts';
import { createOutbound } from '../../src/providers/outbound/index.ts';
import { type Json, startHarness } from '../harness.ts';
import { startReceiver, verify } from './receiver.ts';

const souk = await startHarness({ WEBHOOK_RETRY: '0,0,0', LIMIT_WEBHOOK_TEST: '3/1000' });
const { call, pool, service, clock } = souk;
await service.work();

const system = (businessId: string) => service.contexts.system().within(businessId);
const emit = (businessId: string, entity: `${string}:${string}`, data: object = {}) =>
  system(businessId).transaction((ctx) => ctx.emit({ type: 'order.updated', entity, data }));

async function shop() {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const path = `/v1/businesses/${businessId}/webhooks`;
  const create = async (url: string, events = ['order.*']) =>
    (await call('POST', path, { token, body: { url, events } })).body;
  const deliveries = async (id: string, query = '') =>
    (await call('GET', `${path}/${id}/deliveries${query}`, { token })).body.items;
  return { businessId, token, path, create, deliveries };
}

/** Waits for news instead of time: something in the list must become what it should be. */
async function until<T>(look: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a receiver written with the public package verifies every call, and refuses a changed or an old one', async () => {
  const { businessId, create } = await shop();
  const receiver = await startReceiver();
  const { secret } = await create(receiver.url);
  await emit(businessId, 'order:a', { total: 4900 });
  const [first] = await receiver.received(1);
  assert.deepEqual(verify(secret, first!), first!.event);
  assert.equal(first!.headers['webhook-id'], first!.event.id);
  assert.throws(() => verify(secret, { ...first!, body: first!.body.replace('4900', '4901') }));
  const old = { ...first!.headers, 'webhook-timestamp': `${Math.floor(Date.now() / 1000) - 3600}` };
  assert.throws(() => verify(secret, { ...first!, headers: old }));
});

test('for a day after the secret was replaced calls are signed with both, then with the new one only', async () => {
  const { businessId, token, path, create } = await shop();
  const receiver = await startReceiver();
  const { id, secret: old } = await create(receiver.url);
  const { secret } = (await call('POST', `${path}/${id}/rotate`, { token })).body;
  await emit(businessId, 'order:a');
  const [first] = await receiver.received(1);
  verify(old, first!);
  verify(secret, first!);
  clock.advance(86_401);
  await emit(businessId, 'order:b');
  const second = (await receiver.received(2))[1]!;
  const now = { ...second, headers: { ...second.headers } };
  assert.equal(second.headers['webhook-signature']!.split(' ').length, 1);
  assert.throws(() => verify(old, now));
});

test('a secret is shown when it is made and never again, and lies sealed in the database', async () => {
  const { token, path, create, businessId } = await shop();
  const receiver = await startReceiver();
  const { id, secret } = await create(receiver.url);
  assert.match(secret, /^whsec_/);
  const read = await call('GET', `${path}/${id}`, { token });
  assert.ok(!JSON.stringify(read.body).includes(secret));
  const [row] = await pool`select secret from webhooks where business_id = ${businessId} and id = ${id}`;
  assert.ok(!row!.secret.includes(secret.slice(6)));
});

test('the events of one entity arrive in order although calls fail, those of others do not wait for them', async () => {
  const { businessId, create, deliveries } = await shop();
  const failed = new Set<string>();
  const receiver = await startReceiver(({ event }, response) => {
    const isFirstTry = !failed.has(event.id);
    failed.add(event.id);
    response.writeHead(event.entity === 'order:bad' && isFirstTry ? 500 : 200).end();
  });
  const { id } = await create(receiver.url);
  for (let i = 0; i < 5; i++) {
    await emit(businessId, 'order:bad', { i });
    await emit(businessId, 'order:good', { i });
  }
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (items) => items.length === 10,
  );
  const bad = receiver.calls.filter(({ event }) => event.entity === 'order:bad').map(({ event }) => event.sequence);
  assert.deepEqual(bad, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  const attempts = (await deliveries(id)).map((delivery: Json) => delivery.attempts.length);
  assert.deepEqual(attempts.sort(), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
});

test('after its last try a delivery has failed, and can be sent again by hand', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  let status = 500;
  const receiver = await startReceiver((_, response) => response.writeHead(status).end('no, thank you'));
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:a');
  const [failed] = await until(
    () => deliveries(id, '?status=FAILED'),
    (items) => items.length === 1,
  );
  assert.deepEqual(
    failed.attempts.map((attempt: Json) => [attempt.status, attempt.answer]),
    Array(4).fill([500, 'no, thank you']),
  );
  status = 200;
  await call('POST', `${path}/${id}/deliveries/${failed.id}/retry`, { token });
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (items) => items.length === 1,
  );
  assert.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, 1);
});

test('410 disables the webhook and tells the ADMINs; what waited is sent when it is enabled again', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  let status = 410;
  const receiver = await startReceiver((_, response) => response.writeHead(status).end());
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:a');
  const webhook = await until(
    async () => (await call('GET', `${path}/${id}`, { token })).body,
    ({ enabled }) => !enabled,
  );
  assert.equal(webhook.disabledReason, 'It answered 410 Gone.');
  await until(
    () => souk.mailbox(),
    (mails) => mails.some(({ subject }: Json) => /webhook .* was disabled/.test(subject)),
  );
  status = 200;
  await call('PUT', `${path}/${id}`, { token, body: { enabled: true } });
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (items) => items.length === 1,
  );
});

test('a replay sends the events of a time again', async () => {
  const { businessId, token, path, create } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const from = clock.seconds();
  for (const entity of ['order:a', 'order:b'] as const) await emit(businessId, entity);
  await receiver.received(2);
  await call('POST', `${path}/${id}/replay`, { token, body: { from, to: from + 60 } });
  await service.jobs.drain('webhook-replay');
  const calls = await receiver.received(4);
  assert.equal(new Set(calls.map(({ event }) => event.id)).size, 2);
});

test('a replay that the end of a process interrupts goes on afterwards', async () => {
  const { businessId, create } = await shop();
  const receiver = await startReceiver();
  const { id: webhookId } = await create(receiver.url);
  const from = clock.seconds();
  await emit(businessId, 'order:a');
  await receiver.received(1);
  const ending = service.contexts.steps({ caller: null, businessId, address: '' }, AbortSignal.abort());
  await replay(ending as Steps, { businessId, webhookId, from, to: from + 60 });
  const jobs = await pool`select from jobs.job where name = 'webhook-replay' and data ->> 'webhookId' = ${webhookId}`;
  assert.equal(jobs.length, 1);
  await service.jobs.drain('webhook-replay');
  await receiver.received(2);
});

test('an address into our own networks is refused, and a test call tells what the receiver answered', async () => {
  const { token, path } = await shop();
  const body = { url: 'http://169.254.169.254/latest', events: ['*'] };
  const refused = await call('POST', path, { token, body });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.details[0].field, 'url');
  const receiver = await startReceiver((_, response) => response.writeHead(418).end('teapot'));
  const tried = await call('POST', `${path}/test`, { token, body: { url: receiver.url } });
  assert.deepEqual([tried.body.status, tried.body.answer, tried.body.success], [418, 'teapot', false]);
});

test('nobody makes us call an address again and again: test calls are limited for each user', async () => {
  const { token, path, create } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const tried = [`${path}/test`, `${path}/${id}/test`, `${path}/test`, `${path}/${id}/test`, `${path}/test`];
  const statuses = [];
  for (const each of tried) statuses.push((await call('POST', each, { token, body: { url: receiver.url } })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  assert.equal(receiver.calls.length, 3);
});

test('an answer that never ends is left after the time that a receiver has, and its status counts', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(200).write('so far'));
  const attempt = await callReceiver(createOutbound({ allow: [parseNetwork('127.0.0.0/8')!] }), {
    ...{ url: receiver.url, secrets: [], id: 'evt_1', body: '{}', nowSeconds: 0, timeoutMs: 500 },
  });
  assert.deepEqual([attempt.status, attempt.error, attempt.answer], [200, null, 'so far']);
});

test('a delivery goes with its event, whether it was sent or still waits', async () => {
  const { businessId, token, path, create } = await shop();
  const [receiver, broken] = [
    await startReceiver(),
    await startReceiver((_, response) => response.writeHead(500).end()),
  ];
  const [sent, waits] = [await create(receiver.url), await create(broken.url)];
  const left = (entity: string) => pool<{ webhookId: string }[]>`
    select webhook_id from webhook_deliveries where business_id = ${businessId} and entity = ${entity}`;
  await emit(businessId, 'order:old');
  await receiver.received(1);
  await call('PUT', `${path}/${waits.id}`, { token, body: { enabled: false } });
  await pool`update webhook_deliveries set status = 'PENDING' where business_id = ${businessId} and webhook_id = ${waits.id}`;
  await emit(businessId, 'order:new');
  await receiver.received(2);
  assert.equal((await left('order:old')).length, 2);

  await pool`
    update events set created_at = 0 where business_id = ${businessId} and position <= (
      select position from events where business_id = ${businessId} and entity = 'order:old')`;
  for (const queue of ['events-upkeep', 'webhooks-upkeep']) {
    await system(businessId).transaction((ctx) => ctx.enqueue(queue, {}));
    await service.jobs.drain(queue);
    const open = () => pool`select from jobs.job where name = ${queue} and state < 'completed'`;
    await until(open, (jobs) => jobs.length === 0);
  }
  assert.deepEqual(await left('order:old'), []);
  assert.deepEqual(
    (await left('order:new')).map(({ webhookId }) => webhookId),
    [sent.id],
  );
});

test('a delivery whose event is deleted already is not sent', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:gone');
  await receiver.received(1);
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (found) => found.length === 1,
  );
  await call('PUT', `${path}/${id}`, { token, body: { enabled: false } });
  await pool`update webhook_deliveries set status = 'PENDING', next_attempt_at = 0 where business_id = ${businessId}`;
  await pool`delete from events where business_id = ${businessId} and entity = 'order:gone'`;
  await call('PUT', `${path}/${id}`, { token, body: { enabled: true } });
  await until(
    () => deliveries(id),
    (found) => found.length === 0,
  );
  assert.equal(receiver.calls.length, 1);
});

test('a page of deliveries is bounded in bytes, whatever receivers answered', async () => {
  const { businessId, token, path, create } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  for (let i = 0; i < 9; i++) await emit(businessId, `order:${i}`);
  await receiver.received(9);
  const attempts = JSON.stringify([{ at: 1, status: 200, durationMs: 1, error: null, answer: 'x'.repeat(300_000) }]);
  await until(
    () => pool`
      update webhook_deliveries set attempts = ${attempts} where business_id = ${businessId} and status = 'SUCCEEDED' returning 1`,
    (rows) => rows.length === 9,
  );
  const { body } = await call('GET', `${path}/${id}/deliveries`, { token });
  assert.equal(body.items.length, 6);
  const rest = await call('GET', `${path}/${id}/deliveries?cursor=${body.cursor}`, { token });
  assert.equal(rest.body.items.length, 3);
});

test('sent again and again by hand, a delivery remembers its newest attempts only', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  const receiver = await startReceiver((_, response) => response.end('x'.repeat(1000)));
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:a');
  await receiver.received(1);
  const [delivery] = await until(
    () => deliveries(id),
    ([each]) => each?.status === 'SUCCEEDED',
  );
  const many = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ ...delivery.attempts[0], at: i })));
  await pool`update webhook_deliveries set attempts = ${many} where business_id = ${businessId} and webhook_id = ${id}`;
  await call('POST', `${path}/${id}/deliveries/${delivery.id}/retry`, { token });
  await receiver.received(2);
  const [{ attempts }] = await until(
    () => deliveries(id),
    ([each]) => each.status === 'SUCCEEDED' && each.attempts.at(-1).at > 100,
  );
  assert.deepEqual([attempts.length, attempts[0].at], [100, 1]);
});

test('of many creates at once only fifty webhooks come about', async () => {
  const { token, path } = await shop();
  const body = { url: (await startReceiver()).url, events: ['order.*'] };
  const answers = await Promise.all(Array.from({ length: 60 }, () => call('POST', path, { token, body })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 50);
  assert.equal(answers.filter(({ status }) => status === 409).length, 10);
});
