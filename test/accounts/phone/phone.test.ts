import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, startHarness } from '../../harness.ts';
import { smsCode } from '../people.ts';

const h = await shareHarness();

let last = 10_000_000;
const newPhone = () => `+49151${++last}`;
const send = (token: string, phoneNumber: string) =>
  h.call('POST', '/v1/users/phone-number', { token, body: { phoneNumber } });
const confirm = (token: string, phoneNumber: string, code: string) =>
  h.call('POST', '/v1/users/phone-number/confirm', { token, body: { phoneNumber, code } });
const other = (code: string, i = 1) => String((Number(code) + i) % 1_000_000).padStart(6, '0');

test('a code from the SMS adds the number to the profile and works once', async () => {
  const { token } = await h.guest();
  const phone = newPhone();
  assert.deepEqual((await send(token, phone.replace('+49', '+49 '))).body, { success: true });
  const code = await smsCode(h, phone);
  assert.equal((await confirm((await h.guest()).token, phone, code)).status, 422, 'the code of another user');
  assert.equal((await confirm(token, newPhone(), code)).status, 422, 'the code of another number');
  assert.deepEqual((await confirm(token, phone, code)).body, { success: true });
  assert.deepEqual((await h.call('GET', '/v1/users/me', { token })).body.phoneNumbers, [phone]);
  const again = await confirm(token, phone, code);
  assert.equal(again.body.details[0]!.error, 'CODE_INVALID');
  const [row] = await h.pool`select count(*)::int as n from phone_codes where phone_number = ${phone}`;
  assert.equal(row!.n, 0);
});

test('after five wrong codes, sequential or concurrent, the correct one is rejected too', async () => {
  for (const atOnce of [false, true]) {
    const { token } = await h.guest();
    const phone = newPhone();
    await send(token, phone);
    const code = await smsCode(h, phone);
    const wrong = Array.from({ length: 6 }, (_, i) => other(code, i + 1));
    const responses = atOnce
      ? await Promise.all([...wrong.slice(0, 5).map((guess) => confirm(token, phone, guess))])
      : [];
    if (!atOnce) for (const guess of wrong) responses.push(await confirm(token, phone, guess));
    assert.ok(responses.every((response) => response.status === 422));
    assert.equal((await confirm(token, phone, code)).status, 422);
  }
});

test('a code expires after ten minutes and is stored hashed', async () => {
  const { token } = await h.guest();
  const phone = newPhone();
  await send(token, phone);
  const code = await smsCode(h, phone);
  const [row] = await h.pool`select encode(code_hash, 'escape') as text from phone_codes where phone_number = ${phone}`;
  assert.doesNotMatch(row!.text, new RegExp(code));
  h.clock.advance(601);
  assert.equal((await confirm(token, phone, code)).status, 422);
});

test('a number gets at most one SMS a minute per user and five an hour in total', async () => {
  const phone = newPhone();
  const { token } = await h.guest();
  assert.equal((await send(token, phone)).status, 200);
  const soon = await send(token, phone);
  assert.equal(soon.status, 429);
  assert.ok(Number(soon.headers.get('retry-after')) <= 60);
  for (let i = 0; i < 4; i++) assert.equal((await send((await h.guest()).token, phone)).status, 200);
  assert.equal((await send((await h.guest()).token, phone)).status, 429);
  const sent = (await h.mailbox()).filter((message) => message.to === phone);
  assert.equal(sent.length, 5);
});

test('invalid numbers are rejected, and valid ones are stored in E.164', async () => {
  const { token } = await h.user();
  const save = (number: string) => h.call('PUT', '/v1/users', { token, body: { phoneNumbers: [number] } });
  const invalid = [
    '123',
    '0151 12345678',
    '+49',
    '+0123456789',
    'phone',
    '+1'.padEnd(30, '2'),
    'call +4915112345678',
    '+491511234567',
    '+15555555555',
    '+999123456789',
    '+4915112345678 ext. 5',
  ];
  for (const number of invalid) {
    const { status, body } = await save(number);
    assert.deepEqual([status, body.details?.[0]?.field], [422, 'phoneNumbers[0]'], number);
  }
  for (const number of ['+4915112345678', '+49 151 1234-5678', '+49 (0)151 12345678']) {
    assert.deepEqual((await save(number)).body.phoneNumbers, ['+4915112345678'], number);
  }
});

test('concurrent requests for a code send one SMS', async () => {
  const { token } = await h.guest();
  const phone = newPhone();
  const responses = await Promise.all([send(token, phone), send(token, phone), send(token, phone)]);
  assert.deepEqual(responses.map((response) => response.status).sort(), [200, 429, 429]);
});

test('SMS messages are limited per hour, by IP address and by country', async () => {
  const few = await startHarness({ LIMIT_SMS: '4/6', TRUST_PROXY: '1' });
  const requestCode = async (address: string, phoneNumber: string) => {
    const { token } = await few.guest();
    const headers = { 'x-forwarded-for': address };
    return (await few.call('POST', '/v1/users/phone-number', { token, headers, body: { phoneNumber } })).status;
  };
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push(await requestCode('192.0.2.1', newPhone()));
  assert.deepEqual(statuses, [200, 200, 200, 200, 429], 'new guests and numbers do not help');
  assert.deepEqual(
    [await requestCode('192.0.2.2', newPhone()), await requestCode('192.0.2.3', newPhone())],
    [200, 200],
  );
  assert.equal(await requestCode('192.0.2.4', newPhone()), 429, 'the limit of the country');
  assert.equal(await requestCode('192.0.2.4', '+33612345678'), 200);
  assert.equal((await few.mailbox()).filter((message) => message.kind === 'sms').length, 7);
});
