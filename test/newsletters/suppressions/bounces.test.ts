import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import nodemailer from 'nodemailer';
import { startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const sink = await startSink();
const h = await startHarness({ SMTP_URL: sink.url, BOUNCE_DOMAIN: 'bounces.example', BOUNCE_PORT: '0' });
const port = (await h.service.receiveBounces())!;
test.after(() => sink.close());

const report = (to: string, raw: string) =>
  nodemailer
    .createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
    .sendMail({ envelope: { from: '', to }, raw })
    .then(
      () => 'accepted',
      (error: { responseCode?: number }) => error.responseCode,
    );

const multipart = (type: string, ...parts: [string, string[]][]) =>
  [
    'From: MAILER-DAEMON@mx.example',
    'Subject: Report',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
    '',
    ...parts.flatMap(([partType, lines]) => ['--b', `Content-Type: ${partType}`, '', ...lines]),
    '--b--',
    '',
  ].join('\r\n');

const bounce = (email: string, status: string, action = 'failed') =>
  multipart(
    'delivery-status',
    ['text/plain', ['Delivery failed.']],
    [
      'message/delivery-status',
      [
        'Reporting-MTA: dns; mx.example',
        '',
        `Final-Recipient: rfc822; ${email}`,
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${status} Unknown user`,
      ],
    ],
  );

const complaint = (email: string, sender: string, type = 'abuse') =>
  multipart(
    'feedback-report',
    ['text/plain', ['Marked as spam.']],
    [
      'message/feedback-report',
      [`Feedback-Type: ${type}`, 'User-Agent: Loop/1', 'Version: 1', `Original-Mail-From: <${sender}>`],
    ],
    ['message/rfc822', [`To: <${email}>`, 'Subject: Hello', '', 'News']],
  );

const suppressed = async ({ base, token }: Newsletter) =>
  (await ok(h.call('GET', `${base}/suppressions`, { token }))).items.map(({ email, reason }) => [email, reason]);

/** A newsletter whose only subscriber got an issue, and its envelope sender. */
async function deliver(newsletter?: Newsletter) {
  const made = newsletter ?? (await makeNewsletter(h));
  if (!newsletter) await made.crowd(1);
  sink.messages.length = 0;
  await ok(made.send(await made.entry()));
  await runSends(h.service);
  return { newsletter: made, sender: sink.messages[0]!.from };
}
const ADA = 'user1@example.com';

test('a hard bounce to the envelope sender suppresses the recipient once, regardless of letter case', async () => {
  const { newsletter, sender } = await deliver();
  assert.match(sender, /^bounce\+\w+@bounces\.example$/);
  assert.ok(sender.indexOf('@') <= 64);
  assert.equal(await report(sender.toUpperCase(), bounce(ADA.toUpperCase(), '5.1.1')), 'accepted');
  assert.deepEqual(await suppressed(newsletter), [[ADA.toUpperCase(), 'BOUNCE']]);
  assert.equal(await newsletter.statusOf(ADA), 'BOUNCED');
  await ok(h.call('DELETE', `${newsletter.base}/suppressions/${ADA}`, { token: newsletter.token }));
  assert.equal(await report(sender, bounce(ADA, '5.1.1')), 'accepted');
  assert.deepEqual(await suppressed(newsletter), [], 'replayed');
});

test('a bounce token has no effect for another address or business, if it was altered, or after two weeks', async () => {
  const { newsletter, sender } = await deliver();
  const other = await deliver();
  const [local] = sender.split('@') as [string];
  const end = local.endsWith('0') ? '1' : '0';
  const ofOther = other.newsletter.businessId.slice(4);
  const forged = [
    [sender, 'bob@example.com'],
    [`${local.slice(0, -1)}${end}@bounces.example`, ADA],
    [sender.replace(newsletter.businessId.slice(4), ofOther), ADA],
  ] as const;
  for (const [to, email] of forged) assert.equal(await report(to, bounce(email, '5.1.1')), 'accepted');
  assert.equal(
    await report('complaints@bounces.example', complaint(ADA, `bounce+${'0'.repeat(40)}@bounces.example`)),
    'accepted',
  );
  h.clock.advance(15 * 86_400);
  assert.equal(await report(sender, bounce(ADA, '5.1.1')), 'accepted');
  await newsletter.login();
  await other.newsletter.login();
  assert.deepEqual([await suppressed(newsletter), await suppressed(other.newsletter)], [[], []]);
});

test('temporary failures and policy blocks are counted by day, and delays and successes are not', async () => {
  const first = await deliver();
  const { newsletter } = first;
  for (const status of ['5.7.1', '4.4.7']) await report(first.sender, bounce(ADA, status));
  await report(first.sender, bounce(ADA, '4.4.7', 'delayed'));
  await report(first.sender, bounce(ADA, '2.0.0', 'delivered'));
  const days = await h.pool`select day from soft_bounce_days where business_id = ${newsletter.businessId}`;
  assert.equal(days.length, 1);
  for (let day = 1; day < 5; day++) {
    assert.deepEqual(await suppressed(newsletter), []);
    h.clock.advance(86_400);
    await newsletter.login();
    const { sender } = await deliver(newsletter);
    await report(sender, bounce(ADA, '4.2.2'));
  }
  assert.deepEqual(await suppressed(newsletter), [[ADA, 'BOUNCE']]);
});

test('a complaint suppresses the address, and a report of a message that is not spam does not', async () => {
  const { newsletter, sender } = await deliver();
  await report('complaints@bounces.example', complaint(ADA, sender, 'not-spam'));
  assert.deepEqual(await suppressed(newsletter), []);
  await report('complaints@bounces.example', complaint(ADA, sender));
  assert.deepEqual(await suppressed(newsletter), [[ADA, 'COMPLAINT']]);
  assert.equal(await newsletter.statusOf(ADA), 'ACTIVE');
});

test('the listener relays nothing, limits size and connections, and survives garbage', async () => {
  const { newsletter, sender } = await deliver();
  for (const to of ['ada@example.com', 'bounce+x@bounces.example', sender.replace('bounces.example', 'evil.example')]) {
    assert.equal(await report(to, bounce(ADA, '5.1.1')), 550);
  }
  assert.equal(await report(sender, `${bounce(ADA, '5.1.1')}${'x'.repeat(600_000)}`), 552);
  for (const raw of ['', 'garbage', bounce(ADA, '5.1.1').slice(0, 150), bounce(ADA, 'x')]) {
    assert.equal(await report(sender, raw || ' '), 'accepted');
  }
  assert.deepEqual(await suppressed(newsletter), []);
  const idle = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  const sixth = connect(port, '127.0.0.1');
  assert.match(await text(sixth), /^421 /);
  for (const socket of idle) socket.destroy();
});
