import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { after } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Mail } from '../../src/providers/mail/port.ts';
import { smtpMailer } from '../../src/providers/mail/smtp.ts';
import { httpSms, twilioSms } from '../../src/providers/sms/http.ts';

type Received = { from: string; to: string[]; raw: string; mail: Email };
const received: Received[] = [];
let connections = 0;

const sink = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'shop' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
  onConnect(_session, done) {
    connections++;
    done();
  },
  onRcptTo({ address }, _session, done) {
    const refuse = (responseCode: number, message: string) => done(Object.assign(new Error(message), { responseCode }));
    if (address.startsWith('nobody')) return refuse(550, '5.1.1 no such mailbox');
    if (address.startsWith('full')) return refuse(452, '4.2.2 mailbox full');
    if (address.startsWith('blocked')) return refuse(554, '5.7.1 you are blocked');
    done();
  },
  async onData(stream, { envelope }, done) {
    const raw = await text(stream);
    received.push({
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      raw,
      mail: await PostalMime.parse(raw),
    });
    done();
  },
});
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const address = `127.0.0.1:${(sink.server.address() as AddressInfo).port}`;
const mailer = smtpMailer(`smtp://shop:p%40ss@${address}`, 'Souk Shop <hello@shop.example>');
after(async () => {
  await mailer.close();
  sink.close();
});

const newsletter: Mail = {
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hallo Ada\n.\nEnde',
  html: '<p>Hallo <b>Ada</b></p>',
};
async function deliver(mail: Partial<Mail>): Promise<Received> {
  received.length = 0;
  await mailer.send({ ...newsletter, ...mail });
  return received[0]!;
}

test('an email arrives with its sender, both parts and its own headers', async () => {
  const { from, to, mail } = await deliver({
    fromName: 'Bücher & Co',
    replyTo: 'reply@shop.example',
    messageId: '<dlv_1@shop.example>',
    headers: { 'List-Unsubscribe': '<https://shop.example/u?t=1>', 'Auto-Submitted': 'auto-generated' },
  });
  assert.deepEqual([from, to], ['hello@shop.example', ['ada@example.com']]);
  assert.deepEqual(mail.from, { name: 'Bücher & Co', address: 'hello@shop.example' });
  assert.equal(mail.subject, 'Grüße');
  assert.equal(mail.text?.trim(), 'Hallo Ada\n.\nEnde');
  assert.equal(mail.html?.trim(), '<p>Hallo <b>Ada</b></p>');
  assert.equal(mail.replyTo?.[0]?.address, 'reply@shop.example');
  assert.equal(mail.messageId, '<dlv_1@shop.example>');
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get('list-unsubscribe'), '<https://shop.example/u?t=1>');
  assert.equal(headers.get('auto-submitted'), 'auto-generated');
});

test('a sender name contains no other email address', async () => {
  const { mail } = await deliver({ fromName: 'PayPal <service@paypal.com>' });
  assert.deepEqual(mail.from, { name: 'PayPal service paypal.com', address: 'hello@shop.example' });
});

test('line breaks in a subject, name, address or header add no header and no recipient', async () => {
  const evil = 'x\r\nBcc: victim@example.com\r\nX-Evil: 1\r\n\r\nbody';
  for (const mail of [
    { subject: evil },
    { fromName: evil },
    { headers: { 'List-Id': evil } },
    { messageId: `<${evil}>` },
    { replyTo: `a@b.example\r\nBcc: victim@example.com` },
    { to: 'ada@example.com\r\nRCPT TO:<victim@example.com>' },
    { to: 'ada@example.com, victim@example.com' },
    { to: 'Ada <ada@example.com>, victim@example.com' },
  ]) {
    const arrived = await deliver(mail).catch(() => undefined);
    if (!arrived) continue;
    const keys = arrived.mail.headers.map(({ key }) => key);
    assert.ok(!keys.includes('bcc') && !keys.includes('x-evil'), `${JSON.stringify(mail)}\n${arrived.raw}`);
    assert.ok(!arrived.to.includes('victim@example.com'), JSON.stringify(mail));
    assert.equal(arrived.to.length, 1);
  }
});

test('a sender name and a subject contain no direction marks', async () => {
  const { mail } = await deliver({ fromName: 'PayPal <service@paypal.com>\u202e', subject: 'a\u202eb' });
  assert.deepEqual(mail.from, { name: 'PayPal service paypal.com', address: 'hello@shop.example' });
  assert.equal(mail.subject, 'a b');
});

test('a rejection shows whether a retry makes sense and whether the address exists', async () => {
  const refusal = async (to: string) => {
    const error = await mailer.send({ ...newsletter, to }).then(
      () => null,
      (thrown) => thrown,
    );
    return [error?.permanent, error?.hardBounce];
  };
  assert.deepEqual(await refusal('nobody@example.com'), [true, true]);
  assert.deepEqual(await refusal('full@example.com'), [false, false]);
  assert.deepEqual(await refusal('blocked@example.com'), [true, false]);
  const away = smtpMailer('smtp://127.0.0.1:1', 'a@b.example');
  await assert.rejects(away.send(newsletter), { permanent: false, hardBounce: false });
  await away.close();
});

test('connections are reused for the next emails', async () => {
  const before = connections;
  for (let i = 0; i < 10; i++) await mailer.send(newsletter);
  assert.ok(connections - before <= 1);
});

type Call = { url: string; headers: IncomingHttpHeaders; body: string };
const calls: Call[] = [];
let responseStatus = 200;
const gateway = createServer(async (request, response) => {
  const body = await text(request);
  calls.push({ url: request.url ?? '', headers: request.headers, body });
  response.writeHead(responseStatus).end('{}');
});
await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
const gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
after(() => gateway.close());
const sms = { to: '+4915112345678', body: 'Code 123456 & more' };

test("an SMS is sent to the operator's gateway as JSON", async () => {
  await httpSms(`${gatewayUrl}/send?key=1`).send(sms);
  const call = calls.at(-1)!;
  assert.equal(call.url, '/send?key=1');
  assert.equal(call.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(call.body), sms);
});

test("an SMS is sent to Twilio as a form with the account's credentials", async () => {
  await twilioSms(`twilio://AC123:to%2Fken@+15005550006?base=${encodeURIComponent(gatewayUrl)}`).send(sms);
  const call = calls.at(-1)!;
  assert.equal(call.url, '/2010-04-01/Accounts/AC123/Messages.json');
  assert.equal(call.headers.authorization, `Basic ${Buffer.from('AC123:to/ken').toString('base64')}`);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(call.body)), {
    To: sms.to,
    From: '+15005550006',
    Body: sms.body,
  });
});

test('a gateway that rejects a message or is unreachable causes an error, so the job is retried', async () => {
  responseStatus = 500;
  await assert.rejects(httpSms(gatewayUrl).send(sms), /responded with 500/);
  await assert.rejects(httpSms('http://127.0.0.1:1/').send(sms));
});
