import assert from 'node:assert/strict';
import test from 'node:test';
import { withError } from '../../src/domains/publishing/schedule.ts';
import { conflict } from '../../src/shared/errors.ts';
import { type Json, shareHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { createSite, ok, passTo, statusOf, titled, titleOf } from './site.ts';

const h = await shareHarness();
const site = await createSite(h);
const { byAda } = site;
const hour = () => h.clock.seconds() + 3600;
const planned = (record: Json) => (record.scheduled ?? []).map(({ status }: Json) => status);

test('a scheduled status of an entry, product or collection is added to the history at its time', async () => {
  const at = hour();
  const statuses = (status: string) => [{ status, timestamp: at }];
  const entry = await site.entry('Soon', 'DRAFT', { status: undefined, statuses: statuses('PUBLISHED') });
  const product = await site.product('Soon', { statuses: statuses('ACTIVE') });
  const collection = await ok(byAda('POST', 'collections', { name: 'Soon', statuses: statuses('PUBLISHED') }));
  const paths = [`entries/${entry.id}`, `products/${product.id}`, `collections/${collection.id}`];
  for (const record of [entry, product, collection]) {
    assert.deepEqual([statusOf(record), planned(record).length], ['DRAFT', 1]);
  }
  await passTo(h, at - 600);
  assert.deepEqual(await Promise.all(paths.map(site.seen)), [null, null, null]);
  await passTo(h, at);
  for (const path of paths) {
    const seen = await site.seen(path);
    assert.deepEqual([seen!.statuses.at(-1).timestamp, seen!.scheduled], [at, undefined], path);
  }
  await h.drain();
  const events = await h.pool<{ type: string }[]>`
    select type from event_outbox where business_id = ${site.businessId} and entity = ${`entry:${entry.id}`}
    union all select type from events where business_id = ${site.businessId} and entity = ${`entry:${entry.id}`}`;
  assert.deepEqual(events.map(({ type }) => type).sort(), ['entry.created', 'entry.published', 'entry.updated']);
});

test('scheduled DRAFT and ARCHIVED statuses unpublish a record, and several can be scheduled in sequence', async () => {
  const [t1, t2] = [hour(), hour() + 3600];
  const { id } = await site.entry('Season');
  const path = `entries/${id}` as const;
  await ok(
    byAda('PUT', path, {
      statuses: [
        { status: 'PUBLISHED', timestamp: t2 },
        { status: 'ARCHIVED', timestamp: t1 },
      ],
    }),
  );
  await passTo(h, t1);
  assert.equal(await site.seen(path), null);
  await passTo(h, t2);
  assert.equal(titleOf(await site.seen(path)), 'Season');
});

test('sending a record back unchanged reschedules nothing, before or after the due time, and omitted statuses are canceled', async () => {
  const at = hour();
  const { id } = await site.entry('Read', 'DRAFT');
  const path = `entries/${id}` as const;
  const read = await ok(byAda('PUT', path, { statuses: [{ status: 'PUBLISHED', timestamp: at }] }));
  assert.deepEqual((await ok(byAda('PUT', path, read))).scheduled, read.scheduled);
  await passTo(h, at);
  const again = await ok(byAda('PUT', path, read));
  assert.deepEqual([planned(again), again.statuses.length], [[], 2]);
  const later = await ok(byAda('PUT', path, { scheduled: [{ status: 'DRAFT', timestamp: hour() }] }));
  assert.deepEqual(planned(later), ['DRAFT']);
  assert.deepEqual(planned(await ok(byAda('PUT', path, { scheduled: [] }))), []);
  await passTo(h, hour() + 10);
  assert.equal(titleOf(await site.seen(path)), 'Read');
});

test('a record that can no longer be published at its scheduled time reports why and is not changed', async () => {
  const at = hour();
  const { id } = await site.entry('Fits', 'DRAFT');
  const path = `entries/${id}` as const;
  const later = at + 3600;
  await ok(
    byAda('PUT', path, {
      statuses: [
        { status: 'PUBLISHED', timestamp: at },
        { status: 'ARCHIVED', timestamp: later },
      ],
    }),
  );
  assert.equal((await byAda('PUT', path, { blocks: titled('') })).status, 422, 'it must stay complete');
  const blocks = [
    { id: 'title', type: 'TEXT', required: true },
    { id: 'more', type: 'TEXT', required: true },
  ];
  const before = await ok(byAda('GET', `collections/${site.collectionId}`));
  await ok(byAda('PUT', `collections/${site.collectionId}`, { blocks }));
  await passTo(h, at);
  const refused = await ok(byAda('GET', path));
  assert.equal(statusOf(refused), 'DRAFT');
  assert.match(refused.scheduled![0]!.error!, /more/);
  assert.equal(refused.scheduled![1]!.error, undefined, 'later statuses have not failed yet');
  await ok(byAda('PUT', `collections/${site.collectionId}`, { blocks: before.blocks }));
});

test('a status that already failed keeps its error', () => {
  const [old, due, ahead] = [1, 2, 9].map((timestamp) => ({ status: 'PUBLISHED', timestamp })) as [Json, Json, Json];
  const updated = withError([{ ...old, error: 'First' }, due, ahead], conflict('Second'), 5);
  assert.deepEqual(
    updated.map(({ error }) => error),
    ['First', 'Second', undefined],
  );
});

test('a temporary failure is retried and not recorded as permanent', async () => {
  const at = hour();
  const { id } = await site.entry('Bad luck', 'DRAFT');
  await ok(byAda('POST', `entries/${id}/publish`, { at }));
  await h.pool`alter table entries rename to entries_renamed`;
  await passTo(h, at).catch(() => {});
  await h.pool`alter table entries_renamed rename to entries`;
  const waiting = await ok(byAda('GET', `entries/${id}`));
  assert.deepEqual([statusOf(waiting), waiting.scheduled![0]!.error], ['DRAFT', undefined]);
  h.clock.advance(60);
  await h.drain('publish-due');
  assert.ok(await site.seen(`entries/${id}`));
});

test('a record rescheduled after a failure is published at its new time', async () => {
  const at = hour();
  const { id } = await site.entry('Moved', 'DRAFT');
  const schedule = (timestamp: number) =>
    ok(byAda('PUT', `entries/${id}`, { scheduled: [{ status: 'PUBLISHED', timestamp }] }));
  await schedule(at);
  await h.pool`alter table entries rename to entries_renamed`;
  await passTo(h, at).catch(() => {});
  await h.pool`alter table entries_renamed rename to entries`;
  await schedule(h.clock.seconds() + 5);
  await passTo(h, h.clock.seconds() + 5);
  assert.ok(await site.seen(`entries/${id}`));
});

test('when two processes run concurrently, only one publishes', async () => {
  const at = hour();
  const { id } = await site.entry('Lost', 'DRAFT');
  const other = await h.secondNode();
  await ok(byAda('POST', `entries/${id}/publish`, { at }));
  h.clock.advance(3700);
  await Promise.all([h.drain('publish-due'), other.service.jobs.drain('publish-due')]);
  const { statuses } = (await site.seen(`entries/${id}`))!;
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['DRAFT', 'PUBLISHED'],
  );
});

test('a running worker publishes at the scheduled time, not before', async () => {
  const worker = await h.startNode();
  await worker.service.work();
  const { id } = await site.entry('Now', 'DRAFT');
  const at = h.clock.seconds() + 3;
  await ok(byAda('POST', `entries/${id}/publish`, { at }));
  assert.equal(await site.seen(`entries/${id}`), null);
  await eventually('the entry is public', async () => (await site.seen(`entries/${id}`)) !== null);
  assert.ok(h.clock.seconds() >= at);
});
