import assert from 'node:assert/strict';
import test from 'node:test';
import { claimBatch } from '../../../src/domains/newsletters/sends/batch-queries.ts';
import { createBatchQueue } from '../../../src/domains/newsletters/sends/batch-queue.ts';
import { type Attempt, type Mark, writeMarks } from '../../../src/domains/newsletters/sends/mark-queries.ts';
import { startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { startHarness } from '../../harness.ts';
import { jobContext, makeNewsletter, ok } from '../fixture.ts';

const h = await startHarness();
const LEASE_SECONDS = 60;

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

test('marks may be written again when their answer was lost; those of a former attempt change nothing', async () => {
  const { letters, entryId, ctx, send, claim } = await freeze(1);
  const { firstId: subscriptionId, epoch } = await claim('worker');
  const write = (mark: Partial<Mark>) =>
    ctx
      .write((tx) => writeMarks(tx, send, [{ outcome: null, next: null, ...mark }], 1))
      .then((permissions) => permissions.get(subscriptionId));
  const delivery = async () => {
    const [{ status, attempts }] = (await letters.deliveries(entryId, send.id)) as [
      { status: string; attempts: number },
    ];
    return `${status} ${attempts}`;
  };
  const first: Attempt = { subscriptionId, epoch, number: 1 };
  const refused = { attempt: first, status: 'PENDING' as const, error: '451', dueAt: 0, isBounce: false };
  for (let i = 0; i < 2; i++) assert.equal(await write({ next: first }), 'ATTEMPTING');
  assert.equal(await delivery(), 'ATTEMPTING 1');
  for (let i = 0; i < 2; i++) await write({ outcome: refused });
  assert.equal(await delivery(), 'PENDING 1');

  assert.equal(await write({ next: first }), 'LEASE_LOST');
  assert.equal(await delivery(), 'PENDING 1');
  const second = { ...first, number: 2 };
  assert.equal(await write({ next: second }), 'ATTEMPTING');
  await write({ outcome: refused });
  assert.equal(await write({ next: first }), 'LEASE_LOST');
  assert.equal(await delivery(), 'ATTEMPTING 2');

  await ok(letters.cancel(entryId, send.id));
  assert.equal(await write({ next: second }), 'ATTEMPTING');
});

test('a batch whose claim got lost on the way to its worker is free when its lease expires', async () => {
  const { ctx, send, claim } = await freeze(201);
  const owner = 'worker';
  const queue = createBatchQueue(ctx, {
    ...{ send, owner, leaseSeconds: LEASE_SECONDS, lowWaterMark: 0 },
    ...{ isOver: () => false, retry: (work) => work() },
  });
  await queue.waitForMore();
  await claim(owner);
  await h.pool`update delivery_batches set lease_until = now() - interval '1 s' where send_id = ${send.id}`;
  await queue.renewLeases();
  const lost = await claim('another');
  assert.deepEqual([lost.number, lost.epoch], [1, 1]);
});
