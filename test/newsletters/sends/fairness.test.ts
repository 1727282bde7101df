import assert from 'node:assert/strict';
import test from 'node:test';
import { SMTP_CONNECTIONS } from '../../../src/providers/mail/smtp.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok } from '../fixture.ts';

let released = Promise.withResolvers<void>();
const isLarge = (to: string) => to.startsWith('user');
let isHeld = isLarge;
const sink = await startSink({ onMessage: ({ to }) => (isHeld(to) ? released.promise : undefined) });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('a large send that blocks all connections does not delay issues and other emails of other businesses', async () => {
  const large = await makeNewsletter(h);
  await large.crowd(2000);
  const small = await makeNewsletter(h);
  await ok(small.subscribe('ada@example.com'));
  const { token, email } = await h.member(small.businessId, 'ADMIN');
  const entryId = await small.entry();
  await ok(large.send(await large.entry()));
  await h.service.work();
  await eventually('the large send waits on every connection', async () => sink.messages.length >= SMTP_CONNECTIONS);
  const send = await ok(small.send(entryId));
  await ok(h.call('POST', `${small.base}/entries/${entryId}/test`, { token, body: { email: email! } }));
  await eventually('the other send', async () => (await small.progress(entryId, send.id)).status === 'SENT');
  const others = () => sink.messages.flatMap(({ to }) => (isLarge(to) ? [] : [to])).sort();
  await eventually('the other email', async () => others().length === 2);
  assert.deepEqual(others(), ['ada@example.com', email!].sort());
  assert.equal(sink.messages.length, SMTP_CONNECTIONS + 2, 'the large send is still waiting');
  released.resolve();
});

test('however many sends of a business are running, a send of another business gets its own connections', async () => {
  released = Promise.withResolvers();
  isHeld = () => true;
  const large = await makeNewsletter(h);
  await large.crowd(100);
  const small = await makeNewsletter(h);
  for (let i = 0; i < SMTP_CONNECTIONS; i++) await ok(small.subscribe(`reader${i}@example.com`));
  const before = sink.messages.length;
  for (let i = 0; i < 8; i++) await ok(large.send(await large.entry()));
  const newMessages = () => sink.messages.slice(before).map(({ to }) => to);
  await eventually('all large sends wait', async () => newMessages().length >= 20);
  await ok(small.send(await small.entry()));
  await eventually(
    'the other send',
    async () => newMessages().filter((to) => !isLarge(to)).length === SMTP_CONNECTIONS,
  );
  released.resolve();
});
