import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const answered = Promise.withResolvers<void>();
const sink = await startSink({ onMessage: () => answered.promise });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('thirty sends that are due in one second start within 5 s, also when the mail server answers none of them', async () => {
  const letters = await makeNewsletter(h);
  await letters.crowd(3);
  const scheduledAt = h.clock.seconds() + 4;
  const entries = await Promise.all(Array.from({ length: 30 }, (_, i) => letters.entry(`Issue ${i}`)));
  const sends = await Promise.all(entries.map((id) => ok(letters.send(id, { scheduledAt }))));
  await h.service.work();
  const progress = () => Promise.all(sends.map(({ entryId, id }) => letters.progress(entryId, id)));
  const started = await eventually('all have started', async () => {
    const all = await progress();
    return all.every(({ status }) => status === 'SENDING') && all;
  });
  const late = Math.max(...started.map(({ startedAt }) => startedAt - scheduledAt));
  assert.ok(late >= 0 && late <= 5, `${late} s late`);
  await eventually('many are being delivered at once', async () => {
    const issues = new Set(sink.messages.map(({ messageId }) => /snd_\w+/.exec(messageId)![0]));
    return issues.size >= 12;
  });
  answered.resolve();
  const sent = await eventually('all are sent', async () => {
    const all = await progress();
    return all.every(({ status }) => status === 'SENT') && all;
  });
  assert.ok(sent.every(({ total, sent: count }) => total === 3 && count === 3));
  assert.equal(sink.messages.length, 90);
});
