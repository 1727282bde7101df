import assert from 'node:assert/strict';
import test from 'node:test';
import { claimBatch, releaseBatch } from '../../../src/domains/newsletters/sends/batch-queries.ts';
import { createBatchQueue } from '../../../src/domains/newsletters/sends/batch-queue.ts';
import type { DatabaseRetry } from '../../../src/domains/newsletters/sends/database-retry.ts';
import { createDeliveryLog } from '../../../src/domains/newsletters/sends/delivery-log.ts';
import type { Attempt } from '../../../src/domains/newsletters/sends/mark-queries.ts';
import { startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { startHarness } from '../../harness.ts';
import { jobContext, makeNewsletter, ok } from '../fixture.ts';

const h = await startHarness();
const LEASE_SECONDS = 60;

/** Every answer of the database is lost once. */
const loseFirstAnswer: DatabaseRetry = async (work) => {
  await work(false);
  return work(true);
};

/** A frozen send to so many subscribers. */
async function freeze(subscribers: number) {
  const letters = await makeNewsletter(h);
  await letters.crowd(subscribers);
  const entryId = await letters.entry();
  const { id } = await ok(letters.send(entryId));
  const ctx = jobContext(h.service, letters.businessId);
  const send = (await startSend(ctx, id))!;
  const claim = (owner: string) =>
    ctx.transaction(({ db, now }) => claimBatch(db, send, owner, LEASE_SECONDS, now)).then((batch) => batch!);
  return { letters, entryId, ctx, send, claim };
}

test('marks whose answer is lost are written again; those of a former attempt change nothing', async () => {
  const { letters, entryId, ctx, send, claim } = await freeze(1);
  const { firstId: subscriptionId, epoch } = await claim('worker');
  const log = createDeliveryLog(ctx, send, loseFirstAnswer);
  const delivery = async () => {
    const [{ status, attempts }] = (await letters.deliveries(entryId, send.id)) as [
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

  await ok(letters.cancel(entryId, send.id));
  assert.equal(await log.write(null, second), 'ATTEMPTING', 'it was marked before the send was cancelled');
});

test('a subscriber who has gone is skipped, also when that answer is lost', async () => {
  const { letters, ctx, send, claim } = await freeze(1);
  const { firstId: subscriptionId, epoch } = await claim('worker');
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where business_id = ${letters.businessId}`;
  const log = createDeliveryLog(ctx, send, loseFirstAnswer);
  assert.equal(await log.write(null, { subscriptionId, epoch, number: 1 }), 'SKIPPED');
});

test('a batch whose claim got lost on the way to its worker is free when its lease expires', async () => {
  const { ctx, send, claim } = await freeze(201);
  const owner = 'worker';
  const queue = createBatchQueue(ctx, {
    ...{ send, owner, leaseSeconds: LEASE_SECONDS, lowWaterMark: 0 },
    ...{ isOver: () => false, retry: (work) => work(false) },
  });
  await queue.waitForMore();
  await claim(owner);
  await h.pool`update delivery_batches set lease_until = now() - interval '1 s' where send_id = ${send.id}`;
  await queue.renewLeases();
  const lost = await claim('another');
  assert.deepEqual([lost.number, lost.epoch], [1, 1]);
});

test('a worker that was only asleep writes nothing over the one that took its batch over', async () => {
  const { letters, entryId, ctx, send, claim } = await freeze(2);
  const asleep = await claim('asleep');
  const log = createDeliveryLog(ctx, send, (work) => work(false));
  const attempt = (epoch: number, number: number): Attempt => ({ subscriptionId: asleep.firstId, epoch, number });
  const sent = (of: Attempt) => ({ attempt: of, status: 'SENT' as const, error: null, dueAt: 0, isBounce: false });
  const first = async () => (await letters.deliveries(entryId, send.id))[0].status;
  assert.equal(await log.write(null, attempt(asleep.epoch, 1)), 'ATTEMPTING');
  await h.pool`update delivery_batches set lease_until = now() - interval '1 s' where send_id = ${send.id}`;
  const awake = await claim('awake');
  assert.equal(await first(), 'UNKNOWN');
  assert.equal(await log.write(null, attempt(asleep.epoch, 2)), 'LEASE_LOST', 'no permission by the old epoch');
  assert.equal(await first(), 'UNKNOWN');

  assert.equal(await log.write(null, attempt(awake.epoch, 2)), 'ATTEMPTING');
  await log.write(sent(attempt(asleep.epoch, 2)), null);
  assert.equal(await first(), 'ATTEMPTING', 'no outcome by the old epoch');
  await ctx.write((tx) => releaseBatch(tx, send, asleep, 'awake', 'RETRY', 0));
  assert.equal((await claimOwner(send.id)) ?? null, 'awake', 'no release by the old epoch');
  await log.write(sent(attempt(awake.epoch, 2)), null);
  assert.equal(await first(), 'SENT');
});

async function claimOwner(sendId: string): Promise<unknown> {
  const [batch] = await h.pool`select owner from delivery_batches where send_id = ${sendId}`;
  return batch?.owner;
}
