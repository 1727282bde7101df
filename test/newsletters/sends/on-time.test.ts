import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const released = Promise.withResolvers<void>();
const sink = await startSink({ onMessage: () => released.promise });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('thirty sends that are due at the same time all start, even if the mail server does not respond', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(3);
  const scheduledAt = h.clock.seconds() + 4;
  const entries = await Promise.all(Array.from({ length: 30 }, (_, i) => newsletter.entry(`Issue ${i}`)));
  await Promise.all(entries.map((id) => ok(newsletter.send(id, { scheduledAt }))));
  await h.service.work();
  const sends = () => h.pool<{ status: string; startedAt: number; sent: number }[]>`
    select status, started_at, sent from sends where business_id = ${newsletter.businessId}`;
  const all = (status: string) =>
    eventually(`all are ${status}`, async () => {
      const rows = await sends();
      return rows.every((row) => row.status === status) && rows;
    });
  for (const { startedAt } of await all('SENDING')) assert.ok(startedAt >= scheduledAt);
  await eventually('many are being delivered at once', async () => {
    const issues = new Set(sink.messages.map(({ messageId }) => /snd_\w+/.exec(messageId)![0]));
    return issues.size >= 12;
  });
  released.resolve();
  assert.ok((await all('SENT')).every(({ sent }) => sent === 3));
  assert.equal(sink.messages.length, 90);
});
