import assert from 'node:assert/strict';
import test from 'node:test';
import { SMTP_CONNECTIONS } from '../../../src/providers/mail/smtp.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const released = Promise.withResolvers<void>();
const isLarge = (to: string) => to.startsWith('user');
let hold = (to: string) => (isLarge(to) ? released.promise : undefined);
const sink = await startSink({ onMessage: ({ to }) => hold(to) });
const h = await startHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());

test('a large send that blocks all connections does not delay issues or other emails from other businesses', async () => {
  const large = await makeNewsletter(h);
  await large.crowd(200);
  const small = await makeNewsletter(h);
  await ok(small.subscribe('ada@example.com'));
  const { token, email } = await h.member(small.businessId, 'ADMIN');
  const entryId = await small.entry();
  const largeId = await large.entry();
  const { id } = await ok(large.send(largeId));
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
  await eventually('the large send', async () => (await large.progress(largeId, id)).status === 'SENT');
});

test('sends of a business give up connections for a send of another business, which gets as many as it can use', async () => {
  const [first, second, small] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [
    typeof released,
    typeof released,
    typeof released,
  ];
  const [crowded, other] = [await makeNewsletter(h), await makeNewsletter(h)];
  await crowded.crowd(100);
  for (let i = 0; i < SMTP_CONNECTIONS; i++) await ok(other.subscribe(`reader${i}@example.com`));
  const before = sink.messages.length;
  hold = (to) => (isLarge(to) ? first : small).promise;
  for (let i = 0; i < 8; i++) await ok(crowded.send(await crowded.entry()));
  await eventually('messages of all large sends', async () => sink.messages.length >= before + 20);
  await ok(other.send(await other.entry()));
  const toOther = () => sink.messages.slice(before).filter(({ to }) => !isLarge(to)).length;
  await eventually('a message on each connection', async () => toOther() === SMTP_CONNECTIONS);
  hold = (to) => (isLarge(to) ? second : small).promise;
  const held = sink.messages.length;
  first.resolve();
  // Other emails may keep a connection open.
  await eventually('one for each large send', async () => sink.connections() <= 8 + SMTP_CONNECTIONS + 1);
  assert.ok(sink.messages.length < held + 16, 'connections end instead of sending another message');
  second.resolve();
  small.resolve();
});
