import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { prepareMessage } from '../../src/providers/mail/mime.ts';
import type { BulkMail } from '../../src/providers/mail/port.ts';
import { casesOf } from '../cases.ts';

const SENDER = { name: 'Souk', address: 'no-reply@shop.example' };
const NAME = { variable: 'subscriber.name' };

function compose(mail: Partial<BulkMail>, name: string) {
  const prepared = prepareMessage({ subject: ['Hi'], text: ['t'], html: ['h'], headers: {}, ...mail }, SENDER);
  return prepared({ to: 'ada@example.com', messageId: 'snd_1.sub_1@shop.example', values: { [NAME.variable]: name } });
}

test('fixed text arrives unchanged, whatever values are inserted', async () => {
  const text = fc.string({ unit: 'binary' }).map((s) => s.replaceAll(/[\r\0]/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), text, async (parts, name) => {
      const template = parts.flatMap((part) => [part, NAME]);
      const mail = await PostalMime.parse(compose({ text: template }, name));
      const expected = parts.map((part) => part + name).join('');
      assert.equal(mail.text?.replaceAll('\r\n', '\n').trimEnd(), expected.trimEnd());
    }),
    { numRuns: casesOf(40, 200) },
  );
});

test('no name can add a header, end the headers or exceed the line length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (name) => {
      const raw = compose({ subject: ['Hello ', NAME, '!'], fromName: name }, name).toString('latin1');
      const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
      const names = head.split(/\r\n(?![ \t])/).map((line) => line.split(':')[0]);
      assert.deepEqual(names, ['From', 'MIME-Version', 'Content-Type', 'Date', 'To', 'Message-ID', 'Subject']);
      assert.ok(raw.split('\r\n').every((line) => line.length <= 998 && !/[\r\n]/.test(line)));
    }),
    { numRuns: casesOf(60, 300) },
  );
});

test('header injection in names and subjects is treated as text', async () => {
  const evil = 'Ada\r\nBcc: all@example.com\r\n\r\n<script>';
  const mail = await PostalMime.parse(
    compose({ subject: ['For ', NAME], fromName: evil, html: ['<p>', NAME, '</p>'] }, evil),
  );
  assert.equal(mail.bcc, undefined);
  assert.equal(mail.subject, 'For Ada Bcc: all@example.com <script>');
  assert.equal(mail.from?.address, SENDER.address);
  assert.equal(mail.from?.name, 'Ada Bcc: all example.com script');
  assert.match(mail.html ?? '', /&lt;script&gt;/);
});

test('text in a name that looks like an encoded word is unchanged', async () => {
  const mail = await PostalMime.parse(compose({ subject: [NAME] }, '=?utf-8?B?ZXZpbA==?='));
  assert.equal(mail.subject, '=?utf-8?B?ZXZpbA==?=');
});

test('body lines stay within the length limit, whatever the text', () => {
  const raw = compose({ text: ['é'.repeat(5000), NAME], html: [`<p>${'word '.repeat(2000)}</p>`] }, 'x'.repeat(3000));
  const body = raw.toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n');
  assert.ok(body.split('\r\n').every((line) => line.length <= 76));
});

test('a sender name contains no address, and no header contains direction marks', async () => {
  const fromName = 'PayPal <service@paypal.com>\0\u202e\uff1cx\uff20y\uff1e';
  const subject = 'In\u2066vo\u202eice\0\r\nX: y';
  const mail = await PostalMime.parse(compose({ fromName, subject: [subject] }, ''));
  assert.deepEqual(mail.from, { name: 'PayPal service paypal.com x y', address: SENDER.address });
  assert.equal(mail.subject, 'In vo ice X: y');
  const unnamed = await PostalMime.parse(compose({ fromName: '<@>' }, ''));
  assert.deepEqual(unnamed.from, { name: '', address: SENDER.address });
});
