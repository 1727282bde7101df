import assert from 'node:assert/strict';
import test from 'node:test';
import { createPool } from '../../../src/db/pool.ts';
import type { Tx } from '../../../src/db/sql.ts';
import { startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { shareHarness } from '../../harness.ts';
import { listWaiting } from '../../locks.ts';
import { eventually } from '../../service.ts';
import { jobContext, makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();
const other = await h.secondNode();
const direct = createPool(h.target, { max: 2, applicationName: 'test' });
test.after(() => direct.end());

/** Starts `work`, changes the entry while `work` waits for the lock, then releases the lock. */
async function changeDuring<T>(
  lock: (tx: Tx) => PromiseLike<unknown>,
  work: () => Promise<T>,
  change: () => Promise<unknown>,
): Promise<T> {
  const { result } = await direct.transaction(async (tx) => {
    await lock(tx);
    const result = work();
    await eventually('it waits for the lock', async () => {
      return (await listWaiting(direct)).length > 0;
    });
    await change();
    return { result };
  });
  return result;
}

const rename = (newsletter: Newsletter, entryId: string) => () =>
  ok(
    other.call('PUT', `${newsletter.base}/entries/${entryId}`, {
      token: newsletter.token,
      body: { blocks: [{ id: 'title', type: 'TEXT', value: 'Changed' }] },
    }),
  );

async function subjectTo(email: string): Promise<string | undefined> {
  await runSends(h.service);
  const mail = (await h.mailbox()).find(({ to }) => to === email);
  return mail?.kind === 'mail' ? mail.subject : undefined;
}

test('an entry that changes while its send is created is sent with the change', async () => {
  const newsletter = await makeNewsletter(h);
  await ok(newsletter.subscribe('now@example.com'));
  const entryId = await newsletter.entry('First');
  const [{ userId }] = (await h.pool`
    select user_id from members where business_id = ${newsletter.businessId}`) as unknown as [{ userId: string }];
  await changeDuring(
    (tx) => tx`
      insert into idempotency_keys (business_id, user_id, key, fingerprint, reference, expires_at)
      values (${newsletter.businessId}, ${userId}, 'once', '', '', now() - interval '1 s')`,
    () =>
      ok(
        h.call('POST', `${newsletter.base}/entries/${entryId}/send`, {
          token: newsletter.token,
          headers: { 'idempotency-key': 'once' },
        }),
      ),
    rename(newsletter, entryId),
  );
  assert.equal(await subjectTo('now@example.com'), 'Changed');
});

test('an entry that changes while its scheduled send starts is sent with the change', async () => {
  const newsletter = await makeNewsletter(h);
  await ok(newsletter.subscribe('planned@example.com'));
  const entryId = await newsletter.entry('First');
  const send = await ok(newsletter.send(entryId, { scheduledAt: h.clock.seconds() + 600 }));
  h.clock.advance(601);
  await changeDuring(
    (tx) => tx`select 1 from sends where business_id = ${newsletter.businessId} and id = ${send.id} for update`,
    () => startSend(jobContext(h.service, newsletter.businessId), send),
    rename(newsletter, entryId),
  );
  assert.equal(await subjectTo('planned@example.com'), 'Changed');
});
