import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { startReceiver } from './receiver.ts';

const souk = await startHarness();

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

  const nodes = [souk, await souk.startNode()];
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
