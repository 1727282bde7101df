import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { shareHarness, startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { startReceiver } from './receiver.ts';

const souk = await shareHarness();
const retrying = await startHarness({ WEBHOOK_RETRY: '60' });

test('of two processes that wake together, one sends the delivery', async () => {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const open: ServerResponse[] = [];
  const receiver = await startReceiver((_, response) => open.push(response));
  const body = { url: receiver.url, events: ['order.*'] };
  await souk.call('POST', `/v1/businesses/${businessId}/webhooks`, { token, body });
  const system = souk.service.contexts.system().within(businessId);
  await system.transaction(async (ctx) => ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} }));
  await souk.drain('number-events');

  const nodes = [souk, await souk.secondNode()];
  let drains: Promise<number>[] = [];
  await souk.pool.transaction(async (tx) => {
    await tx`select from webhook_queues where business_id = ${businessId} for update`;
    drains = nodes.map(({ service }) => service.jobs.drain('webhooks'));
    await whenWaitingForLock(souk.pool, Promise.all(drains), 2);
  });
  await receiver.received(1);
  await Promise.race([...drains, receiver.received(2)]);
  assert.equal(receiver.calls.length, 1);
  for (const response of open) response.end();
  await Promise.all(drains);
});

test('a queue whose first delivery waits for its retry is due at the retry, even if it gets another event', async () => {
  const businessId = await retrying.business();
  const { token } = await retrying.member(businessId, 'ADMIN');
  let status = 500;
  const receiver = await startReceiver((_, response) => response.writeHead(status).end());
  const body = { url: receiver.url, events: ['order.*'] };
  await retrying.call('POST', `/v1/businesses/${businessId}/webhooks`, { token, body });
  const system = retrying.service.contexts.system().within(businessId);
  for (let round = 0; round < 2; round++) {
    await system.transaction(async (ctx) => ctx.emit({ type: 'order.updated', entity: 'order:a', data: {} }));
    await retrying.drain('number-events', 'webhooks');
  }
  assert.equal(receiver.calls.length, 1);
  const [queue] = await retrying.pool`
    select q.due_at - d.next_attempt_at as difference from webhook_queues q join webhook_deliveries d using (business_id, webhook_id)
    where business_id = ${businessId} and d.attempt_count = 1`;
  assert.deepEqual(queue, { difference: 0 });
  status = 200;
  retrying.clock.advance(61);
  await retrying.drain('webhooks');
  assert.deepEqual(
    receiver.calls.map(({ event }) => event.sequence),
    [1, 1, 2],
  );
});

test('a delivery during which three processes in a row died has failed, with the reason, and the next one is sent', async () => {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const receiver = await startReceiver((_, response) => response.end());
  const body = { url: receiver.url, events: ['order.*'] };
  const webhooks = `/v1/businesses/${businessId}/webhooks`;
  const { id } = (await souk.call('POST', webhooks, { token, body })).body;
  const system = souk.service.contexts.system().within(businessId);
  for (const entity of ['order:a', 'order:b'] as const)
    await system.transaction(async (ctx) => ctx.emit({ type: 'order.updated', entity, data: {} }));
  await souk.drain('number-events');
  await souk.pool`update webhook_queues set lease = 'a dead process', interruptions = 2 where business_id = ${businessId}`;
  await souk.drain('webhooks');
  const { items } = (await souk.call('GET', `${webhooks}/${id}/deliveries`, { token })).body;
  assert.deepEqual(
    items.map((delivery: { entity: string; status: string }) => [delivery.entity, delivery.status]),
    [
      ['order:b', 'SUCCEEDED'],
      ['order:a', 'FAILED'],
    ],
  );
  assert.match(items[1].attempts[0].error, /stopped 3 times/);
  assert.equal(receiver.calls.length, 1);
});
