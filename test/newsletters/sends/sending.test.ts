import assert from 'node:assert/strict';
import test from 'node:test';
import { startSend } from '../../../src/domains/newsletters/sends/start-send.ts';
import { SMTP_CONNECTIONS } from '../../../src/providers/mail/smtp.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { type SinkReply, startSink } from '../../smtp-sink.ts';
import { addsUp, jobContext, makeNewsletter, ok, runSends } from '../fixture.ts';

let reply: (address: string, attempt: number) => SinkReply = () => 'accept';
let onMessage: () => void | Promise<void> = () => {};
const sink = await startSink({
  reply: (address, attempt) => reply(address, attempt),
  onMessage: () => onMessage(),
});
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());
test.beforeEach(() => {
  sink.messages.length = 0;
  reply = () => 'accept';
  onMessage = () => {};
});

const run = () => runSends(h.service);

/** Advances the clock and runs due sends. */
async function later(seconds: number): Promise<void> {
  h.clock.advance(seconds);
  await run();
}

test('every active subscriber gets one personalized message', async () => {
  const newsletter = await makeNewsletter(h, {
    settings: { replyTo: 'hello@shop.example', fromName: 'Letters, Inc. "é"' },
  });
  await ok(newsletter.subscribe('ada@example.com', { name: 'Ada <&>' }));
  await ok(newsletter.subscribe('bob.o@example.com'));
  const gone = await ok(newsletter.subscribe('gone@example.com'));
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where id = ${gone.id}`;
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  assert.deepEqual(Object.keys(send).sort(), ['entryId', 'id', 'recipients', 'scheduledAt', 'status']);
  assert.deepEqual([send.entryId, send.status, send.recipients], [entryId, 'SENDING', 2]);
  await run();
  const progress = await newsletter.progress(entryId, send.id);
  assert.deepEqual([progress.status, progress.total, progress.sent], ['SENT', 2, 2]);
  assert.deepEqual([...sink.byAddress().keys()].sort(), ['ada@example.com', 'bob.o@example.com']);

  const ada = await sink.parse(sink.messages.find(({ to }) => to === 'ada@example.com')!);
  assert.equal(ada.subject, 'Hello Ada <&>');
  assert.deepEqual([ada.from?.address, ada.from?.name], ['no-reply@localhost', 'Letters, Inc. "é"']);
  assert.equal(ada.replyTo?.[0]?.address, 'hello@shop.example');
  assert.match(ada.html ?? '', /Hello Ada &lt;&amp;&gt;/);
  assert.match(ada.text ?? '', /News for ada@example\.com/);
  const bob = await sink.parse(sink.messages.find(({ to }) => to === 'bob.o@example.com')!);
  assert.equal(bob.subject, 'Hello bob.o');
  assert.match(bob.messageId ?? '', new RegExp(`^<${send.id}\\.sub_\\w+@localhost>$`));
});

test('despite temporary errors, bounces and broken connections, every valid address gets one message and the counts add up', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(200);
  const number = (address: string) => Number(/\d+/.exec(address)![0]);
  reply = (address, attempt) => {
    const n = number(address);
    if (n <= 5) return { code: 550, message: '5.1.1 no such user' };
    if (n % 10 === 0 && attempt === 1) return { code: 451, message: 'try again later' };
    if (n % 25 === 1 && attempt === 1) return 'drop';
    if (n % 25 === 2 && attempt === 1) return 'drop-after-data';
    return 'accept';
  };
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await run();
  const half = await newsletter.progress(entryId, send.id);
  assert.equal(half.status, 'SENDING');
  assert.ok(half.sent > 150 && half.failed === 5 && half.unknown > 0, JSON.stringify(half));
  assert.equal((await newsletter.deliveries(entryId, send.id, '?status=PENDING')).length > 0, true);
  await later(20);
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.total, done.sent, done.failed], ['SENT', 200, 195, 5]);
  assert.ok(addsUp(done));
  const arrived = sink.byAddress();
  assert.equal(arrived.size, 195);
  assert.ok([...arrived.values()].every((ids) => ids.length === 1));
  assert.equal((await newsletter.subscribers('?status=BOUNCED')).length, 5);
  const failed = await newsletter.deliveries(entryId, send.id, '?status=FAILED');
  assert.deepEqual(
    failed.map(({ email }) => number(email)),
    [1, 2, 3, 4, 5],
  );
  assert.match(failed[0].error, /5\.1\.1 no such user/);
});

test('a rejected message fails without marking the address as bounced, and temporary errors are retried for hours', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(2);
  reply = (address) => (address.startsWith('user1@') ? { code: 552, message: '5.2.2 mailbox full' } : { code: 450 });
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await run();
  for (let i = 0; i < 8; i++) await later(15_000);
  await newsletter.login();
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.failed], ['SENT', 2]);
  const [, second] = await newsletter.deliveries(entryId, send.id);
  assert.equal(second.attempts, 8);
  assert.equal((await newsletter.subscribers('?status=ACTIVE')).length, 2);
});

test('a message with an unknown outcome is resent with the same Message-ID, or held if the newsletter is set to HOLD', async () => {
  const attempts = new Map<string, string[]>();
  for (const onUnknown of ['RETRY', 'HOLD']) {
    const newsletter = await makeNewsletter(h, { settings: { onUnknown } });
    await newsletter.crowd(3);
    sink.messages.length = 0;
    attempts.clear();
    reply = (address) => {
      const count = (attempts.get(address)?.length ?? 0) + 1;
      attempts.set(address, Array(count).fill(''));
      return address.startsWith('user2@') && count === 1 ? 'take-and-drop' : 'accept';
    };
    const entryId = await newsletter.entry();
    const send = await ok(newsletter.send(entryId));
    await run();
    await later(20);
    const done = await newsletter.progress(entryId, send.id);
    assert.equal(done.status, 'SENT');
    assert.ok(addsUp(done));
    const ids = sink.byAddress().get('user2@example.com')!;
    assert.equal(new Set(ids).size, 1);
    assert.deepEqual([ids.length, done.sent, done.unknown], onUnknown === 'RETRY' ? [2, 3, 0] : [1, 2, 1]);
  }
});

test('a canceled send stops immediately: only messages in flight still arrive, and the counts add up', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(100);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  let cancelled: Promise<Json> | null = null;
  onMessage = async () => {
    cancelled ??= ok(newsletter.cancel(entryId, send.id)).then(() => newsletter.progress(entryId, send.id));
    await cancelled;
  };
  await run();
  assert.ok(addsUp(await cancelled), 'even while the last messages are in flight');
  await later(0);
  const done = await newsletter.progress(entryId, send.id);
  assert.equal(done.status, 'CANCELLED');
  assert.ok(addsUp(done), JSON.stringify(done));
  assert.equal(done.sent, sink.messages.length);
  assert.ok(done.sent > 0 && done.sent <= SMTP_CONNECTIONS, `${done.sent} were sent`);
  assert.equal((await newsletter.send(entryId)).status, 409);
  assert.deepEqual(await ok(newsletter.cancel(entryId, send.id)), { success: true });
});

test('canceling a send before its first message skips all deliveries', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(7);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await ok(newsletter.cancel(entryId, send.id));
  await run();
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.total, done.skipped], ['CANCELLED', 7, 7]);
  assert.equal(sink.messages.length, 0);
});

test('someone who unsubscribes after the audience was frozen is skipped', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(20);
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  await startSend(jobContext(h.service, newsletter.businessId), send);
  await h.pool`
    update subscriptions set status = 'UNSUBSCRIBED'
    where business_id = ${newsletter.businessId} and name in ('User 3', 'User 14')`;
  await run();
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.total, done.sent, done.skipped], ['SENT', 20, 18, 2]);
  assert.equal(sink.messages.length, 18);
  assert.ok(!sink.byAddress().has('user3@example.com'));
});

test('an outage of the mail server delays deliveries but fails none', async () => {
  const newsletter = await makeNewsletter(h);
  await newsletter.crowd(10);
  const entryId = await newsletter.entry();
  await sink.close();
  const send = await ok(newsletter.send(entryId));
  await run();
  const before = await newsletter.progress(entryId, send.id);
  assert.deepEqual([before.status, before.sent, before.failed], ['SENDING', 0, 0]);
  const back = await startSink();
  await later(40);
  assert.equal((await newsletter.progress(entryId, send.id)).sent, 10);
  assert.equal(back.byAddress().size, 10);
  await back.close();
});
