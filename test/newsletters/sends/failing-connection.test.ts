import assert from 'node:assert/strict';
import test from 'node:test';
import { skipTriggers } from '../../databases.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const refused = Promise.withResolvers<void>();
const sink = await startSink({ keep: false, onMessage: () => refused.promise });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('a connection that fails while another waits for the mail server fails the send, not the process', {
  skip: skipTriggers,
}, async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(20);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await h.pool.text(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$ begin perform nextval('refusals'); raise 'refused'; end $$;
    create trigger refuse before update on deliveries for each row
    when (old.subscription_id = 'sub_${'2'.padStart(26, '0')}' and new.status = 'ATTEMPTING') execute function refuse()`);
  const sending = assert.rejects(runSends(h.service), /refused/);
  // A sequence keeps its value when the transaction fails. The process has the error once its connections are idle.
  await eventually('the update has failed', async () => {
    const [{ hasFailed }] = await h.pool<[{ hasFailed: boolean }]>`
      select is_called and not exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as has_failed
      from refusals`;
    return hasFailed;
  });
  await h.call('GET', '/readyz');
  refused.resolve();
  await sending;
  const progress = await newsletter.progress(entryId, send.id);
  assert.deepEqual([progress.status, progress.failed], ['SENDING', 0]);
});
