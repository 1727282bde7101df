import assert from 'node:assert/strict';
import test from 'node:test';
import { readSmtpUrl } from '../../src/providers/mail/smtp-url.ts';

test('an SMTP URL contains the server, the login and further options', () => {
  assert.deepEqual(readSmtpUrl('smtp://mail.example'), { secure: false, host: 'mail.example' });
  assert.deepEqual(readSmtpUrl('smtps://shop%40x:p%40ss:w%2Frd@mail.example:465'), {
    secure: true,
    host: 'mail.example',
    port: 465,
    auth: { user: 'shop@x', pass: 'p@ss:w/rd' },
  });
  assert.deepEqual(
    readSmtpUrl(
      'smtp://mail.example:25/?name=shop.example&requireTLS=true&maxConnections=2&tls.rejectUnauthorized=false',
    ),
    {
      secure: false,
      host: 'mail.example',
      port: 25,
      name: 'shop.example',
      requireTLS: true,
      maxConnections: 2,
      tls: { rejectUnauthorized: false },
    },
  );
});

test('an SMTP URL can omit the user or the slashes, and contain an unencoded percent sign', () => {
  assert.deepEqual(readSmtpUrl('smtp://:key@mail.example').auth, { user: '', pass: 'key' });
  assert.deepEqual(readSmtpUrl('smtp://u:100%@mail.example').auth, { user: 'u', pass: '100%' });
  assert.deepEqual(readSmtpUrl('smtp:u:p@mail.example:25'), readSmtpUrl('smtp://u:p@mail.example:25'));
});

test("options can't override the server, and the host must be valid", () => {
  const server = readSmtpUrl('smtp://u:p@mail.example:25?host=evil.example&port=1&secure=true&auth=x');
  assert.deepEqual(server, { secure: false, host: 'mail.example', port: 25, auth: { user: 'u', pass: 'p' } });
  assert.equal(readSmtpUrl('smtp://[::1]:25').host, '::1');
  assert.equal(readSmtpUrl('smtp://bücher.example').host, 'xn--bcher-kva.example');
  assert.throws(() => readSmtpUrl('smtp://mail%00.example'), /host/);
});
