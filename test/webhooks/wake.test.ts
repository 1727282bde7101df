import test from 'node:test';
import { startHarness } from '../harness.ts';
import { startReceiver } from './receiver.ts';

// While the poll waits for the lock below, it holds a connection.
const souk = await startHarness({ DATABASE_POOL: '16' });
await souk.service.work();

test('a delivery starts with its event, without waiting for the next poll', async () => {
  const businessId = await souk.business();
  const { token } = await souk.member(businessId, 'ADMIN');
  const receiver = await startReceiver();
  const body = { url: receiver.url, events: ['order.*'] };
  await souk.call('POST', `/v1/businesses/${businessId}/webhooks`, { token, body });
  const ctx = souk.service.contexts.system().within(businessId);
  await souk.pool.transaction(async (tx) => {
    // The poll reads this table too.
    await tx`lock table imports in access exclusive mode`;
    await ctx.transaction(async (inner) => inner.emit({ type: 'order.updated', entity: 'order:a', data: {} }));
    await receiver.received(1);
  });
});
