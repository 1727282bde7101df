import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { listWaiting } from '../locks.ts';
import { eventually } from '../service.ts';
import { startWorker } from '../worker.ts';
import { createSite, ok } from './site.ts';

const h = await startHarness();
const site = await createSite(h);

test('a release whose process is killed is published completely, and once, by the next process', async () => {
  const entries = [await site.entry('A', 'DRAFT'), await site.entry('B', 'DRAFT'), await site.entry('C', 'DRAFT')];
  const ids = entries.map(({ id }) => id as string).sort();
  const { id } = await h.pool.transaction(async (tx) => {
    await tx`select from entries where business_id = ${site.businessId} and id = ${ids[2]!} for update`;
    const release = await ok(site.byAda('POST', 'releases', { name: 'Cut off', items: ids }));
    const worker = startWorker(h);
    await eventually('the release waits for the last item', async () => (await listWaiting(h.pool)).length > 0);
    await worker.kill();
    return release;
  });
  for (const each of ids) assert.equal(await site.seen(`entries/${each}`), null, 'nothing of it is public');
  h.clock.advance(60);
  await h.drain('publish-due');
  assert.equal((await ok(site.byAda('GET', `releases/${id}`))).status, 'PUBLISHED');
  for (const each of ids) {
    const { statuses } = (await site.seen(`entries/${each}`))!;
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['DRAFT', 'PUBLISHED'],
    );
  }
  const events = await h.pool`
    select type from events where business_id = ${site.businessId} and type = 'release.published'
    union all select type from event_outbox where business_id = ${site.businessId} and type = 'release.published'`;
  assert.equal(events.length, 1);
});
