import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const refused = Promise.withResolvers<void>();
const sink = await startSink({ keep: false, onMessage: () => refused.promise });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('a connection that fails while another waits for the mail server fails the send, not the process', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(20);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await h.pool.text(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on deliveries for each row
    when (old.subscription_id = 'sub_${'2'.padStart(26, '0')}' and new.status = 'ATTEMPTING') execute function refuse()`);
  const sending = assert.rejects(runSends(h.service), /refused/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  refused.resolve();
  await sending;
  const progress = await newsletter.progress(entryId, send.id);
  assert.deepEqual([progress.status, progress.failed], ['SENDING', 0]);
});
