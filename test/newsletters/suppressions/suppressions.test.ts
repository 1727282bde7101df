import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';
import { mailgunReport, postmarkReport, type Report, SENDGRID_KEY, sendgridReport } from './reports.ts';

const rejected = new Set<string>();
const sink = await startSink({
  reply: (address) => (rejected.has(address) ? { code: 550, message: '5.1.1 No such user' } : 'accept'),
});
const h = await shareHarness({ SMTP_URL: sink.url });
test.after(() => sink.close());
test.beforeEach(() => {
  sink.messages.length = 0;
});

const KEY = 'key-0123456789abcdef0123';
const PASSWORD = 'a-long-postmark-password';
const now = () => h.clock.seconds();

const report = (provider: string, { base }: Newsletter, { body, headers }: Report) =>
  h.call('POST', `/v1/mail/events/${provider}/${base.split('/').at(-1)}`, { body, headers });

const withProvider = (type: string, secret: string) => makeNewsletter(h, {}, { mailEvents: { type, secret } });

const suppressed = async ({ base, token }: Newsletter) =>
  (await ok(h.call('GET', `${base}/suppressions`, { token }))).items.map(({ email, reason }) => [email, reason]);

const suppress = (newsletter: Newsletter, body: object) =>
  ok(h.call('POST', `${newsletter.base}/suppressions`, { token: newsletter.token, body }));

test('newsletters are not sent to a suppressed address, whether it was suppressed before the send or after the audience was frozen', async () => {
  const newsletter = await makeNewsletter(h);
  for (const name of ['before', 'after', 'ada']) await newsletter.subscribe(`${name}@example.com`);
  await suppress(newsletter, { email: 'Before@example.com', detail: 'Requested by phone' });
  const entryId = await newsletter.entry();
  const send = await ok(newsletter.send(entryId));
  assert.equal(send.recipients, 2);
  await h.service.jobs.drain('newsletter-start');
  await suppress(newsletter, { email: 'after@example.com', reason: 'COMPLAINT' });
  await runSends(h.service);
  assert.deepEqual([...sink.byAddress().keys()], ['ada@example.com']);
  const { total, skipped } = await newsletter.progress(entryId, send.id);
  assert.deepEqual({ total, skipped }, { total: 2, skipped: 1 });
});

test('a signed report from each provider suppresses the address, and a forged, foreign or replayed one has no effect', async () => {
  const event = { id: 'event-1', kind: 'COMPLAINT' as const, email: 'ada@example.com', atSeconds: now() };
  const sendgrid = sendgridReport(event);
  const cases = [
    ['MAILGUN', KEY, mailgunReport(event, KEY), mailgunReport(event, 'another-key')],
    ['POSTMARK', PASSWORD, postmarkReport(event, PASSWORD), postmarkReport(event, 'another-password')],
    ['SENDGRID', SENDGRID_KEY, sendgrid, { ...sendgrid, body: sendgrid.body.replace('ada@', 'bob@') }],
  ] as const;
  for (const [type, secret, signed, forged] of cases) {
    const provider = type.toLowerCase();
    const newsletter = await withProvider(type, secret);
    const [otherType, , ofOther] = cases.find(([each]) => each !== type)!;
    assert.equal((await report(provider, newsletter, forged)).status, 400);
    assert.equal((await report(otherType.toLowerCase(), newsletter, ofOther)).status, 400);
    assert.deepEqual(await suppressed(newsletter), [], type);
    assert.equal((await report(provider, newsletter, signed)).status, 200);
    assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'COMPLAINT']], type);
    await ok(h.call('DELETE', `${newsletter.base}/suppressions/ada@example.com`, { token: newsletter.token }));
    assert.equal((await report(provider, newsletter, signed)).status, 200);
    assert.deepEqual(await suppressed(newsletter), [], `${type}, replayed`);
  }
});

test('a Mailgun signature, which does not cover the address, works for one report and one day only', async () => {
  const newsletter = await withProvider('MAILGUN', KEY);
  const event = { id: 'e05token', kind: 'COMPLAINT' as const, email: 'ada@example.com', atSeconds: now() };
  const signed = mailgunReport(event, KEY);
  await report('mailgun', newsletter, signed);
  const forOther = (body: string) => report('mailgun', newsletter, { ...signed, body: body.replace('ada@', 'bob@') });
  await forOther(signed.body);
  // The signature is the same if characters move from the token to the timestamp.
  const { id, atSeconds } = event;
  for (const moved of ['e0', 'e05']) {
    const body = signed.body
      .replace(`"token":"${id}"`, `"token":"${id.slice(moved.length)}"`)
      .replace(`"timestamp":"${atSeconds}"`, `"timestamp":"${atSeconds}${moved}"`);
    assert.equal((await forOther(body)).status, 400);
  }
  const opened = mailgunReport({ ...event, id: 'opened' }, KEY);
  await report('mailgun', newsletter, { ...opened, body: opened.body.replace('complained', 'opened') });
  assert.equal((await forOther(opened.body)).status, 200, 'an event without effect uses up its signature, too');
  const old = mailgunReport({ ...event, id: 'fresh', atSeconds: now() - 86_401 }, KEY);
  assert.equal((await report('mailgun', newsletter, old)).status, 400);
  assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'COMPLAINT']]);
});

test('an event with unusual values does not keep the other events of a report from taking effect', async () => {
  const newsletter = await withProvider('SENDGRID', SENDGRID_KEY);
  const at = now();
  const odd = [
    { id: 'fraction', atSeconds: at + 0.5 },
    { id: 'far', atSeconds: 1e300 },
    { id: 'nul\0', atSeconds: at },
    { id: 'long'.repeat(2000), atSeconds: at },
  ].map((each) => ({ ...each, kind: 'SOFT_BOUNCE' as const, email: 'odd@example.com' }));
  const complaint = { id: 'good', kind: 'COMPLAINT' as const, email: 'ada@example.com', atSeconds: at };
  assert.equal((await report('sendgrid', newsletter, sendgridReport(complaint, ...odd))).status, 200);
  assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'COMPLAINT']]);
});

test('events that happened before a suppression was removed, or a week ago, have no effect when they arrive', async () => {
  const cases = [
    ['MAILGUN', KEY, (event: Parameters<typeof mailgunReport>[0]) => mailgunReport(event, KEY)],
    ['POSTMARK', PASSWORD, (event: Parameters<typeof mailgunReport>[0]) => postmarkReport(event, PASSWORD)],
    ['SENDGRID', SENDGRID_KEY, sendgridReport],
  ] as const;
  for (const [type, secret, write] of cases) {
    const newsletter = await withProvider(type, secret);
    const send = (event: Parameters<typeof mailgunReport>[0]) => report(type.toLowerCase(), newsletter, write(event));
    const event = { kind: 'HARD_BOUNCE' as const, email: 'ada@example.com', atSeconds: now() };
    await suppress(newsletter, { email: event.email });
    h.clock.advance(100);
    await ok(h.call('DELETE', `${newsletter.base}/suppressions/${event.email}`, { token: newsletter.token }));
    await send({ ...event, id: 'late' });
    await send({ ...event, id: 'old', email: 'bob@example.com', atSeconds: now() - 8 * 86_400 });
    assert.deepEqual(await suppressed(newsletter), [], type);
    h.clock.advance(1);
    await send({ ...event, id: 'new', atSeconds: now() });
    assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'BOUNCE']], type);
  }
});

test('an address is suppressed after soft bounces on five days, and a delivery in between resets the count', async () => {
  const newsletter = await withProvider('MAILGUN', KEY);
  await newsletter.subscribe('ada@example.com');
  let id = 0;
  const send = (kind: 'SOFT_BOUNCE' | 'DELIVERED') =>
    report(
      'mailgun',
      newsletter,
      mailgunReport({ id: `e${id++}`, kind, email: 'ada@example.com', atSeconds: now() }, KEY),
    );
  const bounceOnDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      await send('SOFT_BOUNCE');
      await send('SOFT_BOUNCE');
      h.clock.advance(86_400);
    }
  };
  await bounceOnDays(4);
  await send('DELIVERED');
  await bounceOnDays(4);
  await newsletter.login();
  assert.deepEqual(await suppressed(newsletter), []);
  await bounceOnDays(1);
  await newsletter.login();
  assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'BOUNCE']]);
  assert.equal(await newsletter.statusOf('ada@example.com'), 'BOUNCED');
});

test('a delivery that is reported late resets the count of the soft bounces before it, and of no others', async () => {
  const newsletter = await withProvider('POSTMARK', PASSWORD);
  await newsletter.subscribe('ada@example.com');
  const first = now();
  let id = 0;
  const send = (kind: 'SOFT_BOUNCE' | 'DELIVERED', day: number) =>
    report(
      'postmark',
      newsletter,
      postmarkReport({ id: `e${id++}`, kind, email: 'ada@example.com', atSeconds: first + day * 86_400 }, PASSWORD),
    );
  h.clock.advance(6 * 86_400);
  await newsletter.login();
  for (const day of [0, 1, 2, 3]) await send('SOFT_BOUNCE', day);
  await send('DELIVERED', 1.5);
  for (const day of [4, 5]) await send('SOFT_BOUNCE', day);
  assert.deepEqual(await suppressed(newsletter), []);
  await send('SOFT_BOUNCE', 6);
  assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'BOUNCE']]);
});

test('an address that the mail server rejects is suppressed until its owner confirms a subscription, but a complaint is kept', async () => {
  const newsletter = await makeNewsletter(h);
  for (const name of ['ada', 'bob']) await newsletter.subscribe(`${name}@example.com`);
  rejected.add('ada@example.com');
  await ok(newsletter.send(await newsletter.entry()));
  await runSends(h.service);
  assert.deepEqual(await suppressed(newsletter), [['ada@example.com', 'BOUNCE']]);
  await suppress(newsletter, { email: 'bob@example.com', reason: 'COMPLAINT' });
  rejected.clear();
  await newsletter.subscribe('ada@example.com');
  await h.drain('mail');
  const { text = '' } = await sink.parse(sink.messages.findLast(({ to }) => to === 'ada@example.com')!);
  const [token] = /(?<=\/confirm-subscription\/)\S+/.exec(text)!;
  await ok(h.call('POST', `${newsletter.base}/collections/confirm`, { body: { token } }));
  assert.deepEqual(await suppressed(newsletter), [['bob@example.com', 'COMPLAINT']]);
});

test('members without SUBSCRIBER_WRITE can’t suppress addresses, the secret is always masked, and guests can’t see the provider', async () => {
  const newsletter = await withProvider('POSTMARK', PASSWORD);
  const { token } = await h.member(newsletter.businessId, 'SUBSCRIBER_READ');
  const body = { email: 'ada@example.com' };
  assert.equal((await h.call('POST', `${newsletter.base}/suppressions`, { token, body })).status, 403);
  const shown = await ok(h.call('GET', newsletter.base, { token: newsletter.token }));
  assert.deepEqual(shown.configs.mailEvents, { type: 'POSTMARK', secret: '****word' });
  const open = await ok(h.call('GET', newsletter.base, { token: newsletter.guest.token }));
  assert.equal(open.configs.mailEvents, undefined);
});
