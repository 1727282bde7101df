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
  system(businessId).transaction(async (ctx) => ctx.emit({ type: 'order.updated', entity, data }));

async function shop() {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const path = `/v1/businesses/${businessId}/webhooks` as const;
  const create = async (url: string, events = ['order.*']) =>
    (await call('POST', path, { token, body: { url, events } })).body;
  const deliveries = async (id: string, query = '') =>
    (await call('GET', `${path}/${id}/deliveries${query}`, { token })).body.items;
  return { businessId, token, path, create, deliveries };
}

/** Polls without sleeping until the value meets the condition. */
async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a receiver using the public package verifies every call and rejects modified and old ones', async () => {
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

test('a pattern that matches no event type is rejected', async () => {
  const { token, path, create } = await shop();
  const receiver = await startReceiver();
  for (const events of [['ordr.*'], ['order.*', 'order.shiped'], ['order']]) {
    const { status, body } = await call('POST', path, { token, body: { url: receiver.url, events } });
    assert.equal(status, 422);
    assert.deepEqual(
      body.details.map(({ field, error }) => `${field} ${error}`),
      [`events[${events.length - 1}] INVALID_VALUE`],
    );
  }
  const { id } = await create(receiver.url, ['*', 'order.*', 'product.created']);
  assert.equal((await call('PUT', `${path}/${id}`, { token, body: { events: ['oder.*'] } })).status, 422);
});

test('for a day after a rotation, calls are signed with both secrets, then only with the new one', async () => {
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

test('a secret is shown only once and stored encrypted', async () => {
  const { token, path, create, businessId } = await shop();
  const receiver = await startReceiver();
  const { id, secret } = await create(receiver.url);
  assert.match(secret, /^whsec_/);
  const read = await call('GET', `${path}/${id}`, { token });
  assert.ok(!JSON.stringify(read.body).includes(secret));
  const [row] = await pool`select secret from webhooks where business_id = ${businessId} and id = ${id}`;
  assert.ok(!row!.secret.includes(secret.slice(6)));
});

test('events of one entity arrive in order even if calls fail, and other entities do not wait', async () => {
  const { businessId, create, deliveries } = await shop();
  const failed = new Set<string>();
  const receiver = await startReceiver(({ event }, response) => {
    const isFirstTry = !failed.has(event.id);
    failed.add(event.id);
    response.writeHead(event.entity === 'order:bad' && isFirstTry ? 500 : 200).end();
  });
  const { id } = await create(receiver.url);
  for (let i = 0; i < 5; i++) {
    await emit(businessId, 'order:bad', { number: i });
    await emit(businessId, 'order:good', { number: i });
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

test('a delivery fails after its last attempt and can be retried manually', async () => {
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

test('a 410 response disables the webhook and emails the admins, and pending deliveries are sent once it is enabled again', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  let status = 410;
  const receiver = await startReceiver((_, response) => response.writeHead(status).end());
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:a');
  const webhook = await until(
    async () => (await call('GET', `${path}/${id}`, { token })).body,
    ({ enabled }) => !enabled,
  );
  assert.equal(webhook.disabledReason, 'The endpoint responded with 410 Gone.');
  await until(
    () => souk.mailbox(),
    (mails) => mails.some(({ subject }: Json) => /^Webhook disabled/.test(subject)),
  );
  status = 200;
  await call('PUT', `${path}/${id}`, { token, body: { enabled: true } });
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (items) => items.length === 1,
  );
});

test('a webhook whose deliveries have all failed for three days is disabled', async () => {
  const { businessId, path, create, deliveries } = await shop();
  const receiver = await startReceiver((_, response) => response.writeHead(500).end());
  const { id } = await create(receiver.url);
  await emit(businessId, 'order:a');
  await until(
    () => deliveries(id, '?status=FAILED'),
    (items) => items.length === 1,
  );
  clock.advance(3 * 86_400 + 1);
  const { token } = await souk.member(businessId, 'ADMIN');
  const read = async () => (await call('GET', `${path}/${id}`, { token })).body;
  assert.equal((await read()).enabled, true);
  await emit(businessId, 'order:b');
  const { disabledReason } = await until(read, ({ enabled }) => !enabled || receiver.calls.length === 8);
  assert.equal(disabledReason, 'All deliveries have failed for three days.');
});

test('events that occur while a webhook is disabled are delivered in order once it is enabled again', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const enable = (enabled: boolean) => call('PUT', `${path}/${id}`, { token, body: { enabled } });
  await enable(false);
  for (const total of [1, 2]) await emit(businessId, 'order:a', { total });
  await until(
    () => deliveries(id, '?status=PENDING'),
    (items) => items.length === 2,
  );
  assert.equal(receiver.calls.length, 0);
  await enable(true);
  const calls = await receiver.received(2);
  assert.deepEqual(
    calls.map(({ event }) => event.data),
    [{ total: 1 }, { total: 2 }],
  );
});

test('a replay sends the events of a period again', async () => {
  const { businessId, token, path, create, deliveries } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const from = clock.seconds();
  for (const entity of ['order:a', 'order:b'] as const) await emit(businessId, entity);
  await until(
    () => deliveries(id, '?status=SUCCEEDED'),
    (items) => items.length === 2,
  );
  const replayed = await call('POST', `${path}/${id}/replay`, { token, body: { from, to: from + 60 } });
  assert.deepEqual(replayed.body, { success: true, events: 2 }, 'not the event of the webhook itself');
  await service.jobs.drain('webhook-replay');
  const calls = await receiver.received(4);
  assert.equal(new Set(calls.map(({ event }) => event.id)).size, 2);
});

test('a replay interrupted by a shutdown continues afterward', async () => {
  const { businessId, create, deliveries } = await shop();
  const receiver = await startReceiver();
  const { id: webhookId } = await create(receiver.url);
  const from = clock.seconds();
  await emit(businessId, 'order:a');
  await until(
    () => deliveries(webhookId, '?status=SUCCEEDED'),
    (items) => items.length === 1,
  );
  const ending = service.contexts.steps({ caller: null, businessId, address: '' }, AbortSignal.abort());
  await replay(ending as Steps, { webhookId, from, to: from + 60 });
  await service.jobs.drain('webhook-replay');
  await receiver.received(2);
});

test('a URL in a private network is rejected, and a test call returns the receiver’s response', async () => {
  const { token, path } = await shop();
  const body = { url: 'http://169.254.169.254/latest', events: ['*'] };
  const refused = await call('POST', path, { token, body });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.details[0]!.field, 'url');
  const receiver = await startReceiver((_, response) => response.writeHead(418).end('teapot'));
  const tried = await call('POST', `${path}/test`, { token, body: { url: receiver.url } });
  assert.deepEqual([tried.body.status, tried.body.answer, tried.body.success], [418, 'teapot', false]);
});

test('test calls are rate limited per user', async () => {
  const { token, path, create } = await shop();
  const receiver = await startReceiver();
  const { id } = await create(receiver.url);
  const tried = [`${path}/test`, `${path}/${id}/test`, `${path}/test`, `${path}/${id}/test`, `${path}/test`];
  const statuses = [];
  for (const each of tried) statuses.push((await call('POST', each, { token, body: { url: receiver.url } })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  assert.equal(receiver.calls.length, 3);
});

test('a response that never ends is cut off at the timeout, and its status counts', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(200).write('so far'));
  const attempt = await callReceiver(createOutbound({ allow: [parseNetwork('127.0.0.0/8')!] }), {
    businessId: 'biz_1',
    url: receiver.url,
    secrets: [],
    id: 'evt_1',
    body: '{}',
    nowSeconds: 0,
    timeoutMs: 500,
  });
  assert.deepEqual([attempt.status, attempt.error, attempt.answer], [200, null, 'so far']);
});

test('a delivery is deleted with its event, whether sent or pending', async () => {
  const { businessId, token, path, create } = await shop();
  const [receiver, broken] = [
    await startReceiver(),
    await startReceiver((_, response) => response.writeHead(500).end()),
  ];
  const [sent, pending] = [await create(receiver.url), await create(broken.url)];
  const left = (entity: string) => pool<{ webhookId: string }[]>`
    select webhook_id from webhook_deliveries where business_id = ${businessId} and entity = ${entity}`;
  await emit(businessId, 'order:old');
  await receiver.received(1);
  await call('PUT', `${path}/${pending.id}`, { token, body: { enabled: false } });
  await pool`update webhook_deliveries set status = 'PENDING' where business_id = ${businessId} and webhook_id = ${pending.id}`;
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
  assert.deepEqual((await left('order:new')).map(({ webhookId }) => webhookId).sort(), [sent.id, pending.id].sort());
});

test('a delivery whose event was deleted is not sent', async () => {
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

test('pages of deliveries have a byte limit, however large the responses', async () => {
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

test('a delivery that is retried many times keeps only its newest attempts', async () => {
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

test('concurrent requests create at most fifty webhooks', async () => {
  const { token, path } = await shop();
  const body = { url: (await startReceiver()).url, events: ['order.*'] };
  const responses = await Promise.all(Array.from({ length: 60 }, () => call('POST', path, { token, body })));
  assert.equal(responses.filter(({ status }) => status === 200).length, 50);
  assert.equal(responses.filter(({ status }) => status === 409).length, 10);
});
