import assert from 'node:assert/strict';
import test from 'node:test';
import { createBatchQueue } from '../../../src/domains/newsletters/sends/batches/batch-queue.ts';
import type { DatabaseRetry } from '../../../src/domains/newsletters/sends/batches/database-retry.ts';
import { createDeliveryLog } from '../../../src/domains/newsletters/sends/batches/delivery-log.ts';
import type { Attempt } from '../../../src/domains/newsletters/sends/batches/mark-queries.ts';
import { claimBatch, releaseBatch } from '../../../src/domains/newsletters/sends/batches/queries.ts';
import { findSend } from '../../../src/domains/newsletters/sends/send-queries.ts';
import { startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { shareHarness } from '../../harness.ts';
import { jobContext, makeNewsletter, ok } from '../fixture.ts';

const h = await shareHarness();
const LEASE_SECONDS = 60;

/** Loses every first response from the database. */
const loseFirstResponse: DatabaseRetry = async (work) => {
  await work(false);
  return work(true);
};

/** Creates a frozen send with this many subscribers. */
async function freeze(subscribers: number) {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(subscribers);
  const entryId = await newsletter.entry();
  const { id } = await ok(newsletter.send(entryId));
  const ctx = jobContext(h.service, newsletter.businessId);
  await startSend(ctx, { id });
  const send = (await findSend(ctx.db, newsletter.businessId, id))!;
  const claim = (owner: string) =>
    ctx.transaction(({ db, now }) => claimBatch(db, send, owner, LEASE_SECONDS, now)).then((batch) => batch!);
  return { newsletter, entryId, ctx, send, claim };
}

test('marks whose response was lost are written again, and marks of a previous attempt change nothing', async () => {
  const { newsletter, entryId, ctx, send, claim } = await freeze(1);
  const { firstId: subscriptionId, epoch } = await claim('worker');
  const log = createDeliveryLog(ctx, send, loseFirstResponse);
  const delivery = async () => {
    const [{ status, attempts }] = (await newsletter.deliveries(entryId, send.id)) as [
      { status: string; attempts: number },
    ];
    return `${status} ${attempts}`;
  };
  const first: Attempt = { subscriptionId, epoch, number: 1 };
  const second: Attempt = { subscriptionId, epoch, number: 2 };
  const refused = { attempt: first, status: 'PENDING' as const, error: '451', dueAt: 0, isBounce: false };
  assert.equal(await log.write(null, first), 'ATTEMPTING');
  assert.equal(await delivery(), 'ATTEMPTING 1');
  await log.write(refused, null);
  assert.equal(await delivery(), 'PENDING 1');

  await log.write(null, first);
  assert.equal(await delivery(), 'PENDING 1');
  assert.equal(await log.write(null, second), 'ATTEMPTING');
  await log.write(refused, first);
  assert.equal(await delivery(), 'ATTEMPTING 2');

  await ok(newsletter.cancel(entryId, send.id));
  assert.equal(await log.write(null, second), 'ATTEMPTING', 'marked before the send was canceled');
});

test('a subscriber who has unsubscribed is skipped, even if the response was lost', async () => {
  const { newsletter, ctx, send, claim } = await freeze(1);
  const { firstId: subscriptionId, epoch } = await claim('worker');
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where business_id = ${newsletter.businessId}`;
  const log = createDeliveryLog(ctx, send, loseFirstResponse);
  assert.equal(await log.write(null, { subscriptionId, epoch, number: 1 }), 'SKIPPED');
});

test('a batch whose claim response was lost becomes available when its lease expires', async () => {
  const { ctx, send, claim } = await freeze(201);
  const owner = 'worker';
  const queue = createBatchQueue(ctx, {
    send,
    owner,
    leaseSeconds: LEASE_SECONDS,
    lowWaterMark: 0,
    isOver: () => false,
    retry: (work) => work(false),
  });
  await queue.waitForMore();
  await claim(owner);
  await h.pool`update delivery_batches set lease_until = now() - interval '1 s' where send_id = ${send.id}`;
  await queue.renewLeases();
  const lost = await claim('another');
  assert.deepEqual([lost.number, lost.epoch], [1, 1]);
});

test('a stalled worker can’t overwrite the worker that took over its batch', async () => {
  const { newsletter, entryId, ctx, send, claim } = await freeze(2);
  const asleep = await claim('asleep');
  const log = createDeliveryLog(ctx, send, (work) => work(false));
  const attempt = (epoch: number, number: number): Attempt => ({ subscriptionId: asleep.firstId, epoch, number });
  const sent = (of: Attempt) => ({ attempt: of, status: 'SENT' as const, error: null, dueAt: 0, isBounce: false });
  const first = async () => (await newsletter.deliveries(entryId, send.id))[0].status;
  assert.equal(await log.write(null, attempt(asleep.epoch, 1)), 'ATTEMPTING');
  await h.pool`update delivery_batches set lease_until = now() - interval '1 s' where send_id = ${send.id}`;
  const awake = await claim('awake');
  assert.equal(await first(), 'UNKNOWN');
  assert.equal(await log.write(null, attempt(asleep.epoch, 2)), 'LEASE_LOST', 'no permission with the old epoch');
  assert.equal(await first(), 'UNKNOWN');

  assert.equal(await log.write(null, attempt(awake.epoch, 2)), 'ATTEMPTING');
  await log.write(sent(attempt(asleep.epoch, 2)), null);
  assert.equal(await first(), 'ATTEMPTING', 'no outcome with the old epoch');
  await ctx.write((tx) => releaseBatch(tx, send, asleep, 'awake', 'RETRY', 0));
  assert.equal((await claimOwner(send.id)) ?? null, 'awake', 'no release with the old epoch');
  await log.write(sent(attempt(awake.epoch, 2)), null);
  assert.equal(await first(), 'SENT');
});

async function claimOwner(sendId: string): Promise<unknown> {
  const [batch] = await h.pool`select owner from delivery_batches where send_id = ${sendId}`;
  return batch?.owner;
}
