import assert from 'node:assert/strict';
import test from 'node:test';
import { hash } from '@node-rs/argon2';
import { shareHarness } from '../../harness.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, registered } from '../people.ts';

const h = await shareHarness();

const login = (email: string, password = GOOD_PASSWORD) =>
  h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password } });
const forgot = (email: string, more: object = {}) =>
  h.call('POST', '/v1/users/forgot-password', { body: { email, ...more } });
const reset = (token: string, password: string) =>
  h.call('POST', '/v1/users/reset-forgot-password', { body: { token, password } });
const codes = (body: { details: { error: string }[] }) => body.details.map((detail) => detail.error);
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('passwords are stored as Argon2id with OWASP parameters, and weaker hashes are upgraded at login', async () => {
  const { email, login } = await registered(h);
  const stored = async () =>
    (await h.pool`select password_hash from users where email_key = ${email}`)[0]!.passwordHash;
  assert.match(await stored(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const weak = await hash(GOOD_PASSWORD, { memoryCost: 8192, timeCost: 1 });
  await h.pool`update users set password_hash = ${weak} where email_key = ${email}`;
  assert.equal((await login()).status, 200);
  assert.match(await stored(), /m=19456,t=2,p=1/);
  assert.equal((await login()).status, 200);
});

test('an unknown email and a wrong password get the same response in similar time', async () => {
  const people = [];
  for (let i = 0; i < 5; i++) people.push(await registered(h));
  // CPU time, because wall-clock time depends on the load of the machine.
  const time = async (email: string) => {
    const start = process.cpuUsage();
    const response = await login(email, 'wrong-password-1');
    const { user, system } = process.cpuUsage(start);
    return { took: user + system, response };
  };
  const known = [];
  const unknown = [];
  for (const { email } of people) {
    known.push(await time(email), await time(email));
    unknown.push(await time(newEmail()), await time(newEmail()));
  }
  assert.equal(known[0]!.response.status, 422);
  assert.deepEqual(codes(known[0]!.response.body), ['PASSWORD_WRONG']);
  assert.deepEqual(known[0]!.response.body, unknown[0]!.response.body);
  const ratio = median(known.map(({ took }) => took)) / median(unknown.map(({ took }) => took));
  assert.ok(ratio > 0.5 && ratio < 2, `ratio ${ratio}`);
});

test('forgot-password responds the same for known and unknown emails, and its link works once', async () => {
  const { email } = await registered(h);
  const session = (await login(email)).body;
  assert.deepEqual((await forgot(newEmail())).body, (await forgot(email.toUpperCase())).body);
  const token = await mailedToken(h, email);
  assert.deepEqual(codes((await reset(token, 'weak')).body), ['PASSWORD_WEAK']);
  assert.equal((await reset(token, 'fresh-password-9')).status, 200);
  assert.deepEqual(codes((await reset(token, 'fresh-password-0')).body), ['TOKEN_INVALID']);
  assert.equal((await login(email)).status, 422);
  assert.equal((await login(email, 'fresh-password-9')).status, 200);
  assert.equal((await h.call('GET', '/v1/users/me', { token: session.accessToken })).status, 401);
});

test('a reset link is invalid after an hour and after another password change', async () => {
  const { email, password } = await registered(h);
  await forgot(email);
  const token = await mailedToken(h, email);
  const { accessToken } = (await login(email)).body;
  const body = { oldPassword: password, newPassword: 'third-password-3' };
  assert.equal((await h.call('POST', '/v1/users/reset-password', { token: accessToken, body })).status, 200);
  assert.deepEqual(codes((await reset(token, 'fresh-password-9')).body), ['TOKEN_INVALID']);
  await forgot(email);
  const late = await mailedToken(h, email);
  h.clock.advance(3601);
  assert.deepEqual(codes((await reset(late, 'fresh-password-9')).body), ['TOKEN_EXPIRED']);
});

test('of two concurrent resets with one link, only one succeeds', async () => {
  const { email } = await registered(h);
  await forgot(email);
  const token = await mailedToken(h, email);
  const responses = await Promise.all(['one-password-1', 'two-password-2'].map((password) => reset(token, password)));
  assert.deepEqual(responses.map((response) => response.status).sort(), [200, 422]);
});

test('the eleventh wrong password gets 429 across nodes, and the owner can log in after a reset', async () => {
  const { email } = await registered(h);
  const second = await h.secondNode();
  const responses = [];
  for (let i = 0; i < 12; i++) {
    const { call } = i % 2 ? h : second;
    responses.push(
      await call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password: `wrong-${i}` } }),
    );
  }
  assert.equal(responses.filter((response) => response.status === 422).length, 10);
  assert.equal(responses.at(-1)!.status, 429);
  assert.ok(Number(responses.at(-1)!.headers.get('retry-after')) > 0);
  assert.equal((await login(email)).status, 429, 'the correct password too');
  await forgot(email);
  assert.equal((await reset(await mailedToken(h, email), 'fresh-password-9')).status, 200);
  assert.equal((await login(email, 'fresh-password-9')).status, 200);
});

test('wrong passwords and reset requests by others never lock out the owner', async () => {
  const { email } = await registered(h);
  const attack = async () => {
    for (let i = 0; i < 6; i++) await forgot(email);
    for (let i = 0; i < 12; i++) await login(email, `wrong-${i}`);
  };
  await attack();
  assert.equal((await login(email)).status, 429);
  assert.equal((await forgot(email)).status, 429);
  const arrived = await mailedToken(h, email);
  assert.equal((await reset(arrived, 'fresh-password-9')).status, 200, 'an earlier link still works');
  await attack();
  assert.equal((await login(email, 'fresh-password-9')).status, 200);
  await attack();
  assert.equal((await login(email, 'fresh-password-9')).status, 200, 'the raised limit outlasts the login');
  await attack();
  assert.equal((await reset(await mailedToken(h, email), 'fresh-password-8')).status, 200, 'further emails were sent');
  assert.equal((await login(email, 'fresh-password-8')).status, 200);
  h.clock.advance(3601);
  for (let i = 0; i < 11; i++) await login(email, `wrong-${i}`);
  assert.equal((await login(email, 'fresh-password-8')).status, 429, 'after an hour, the strict limit applies again');
});

test('concurrent wrong passwords do not exceed the limit', async () => {
  const { email } = await registered(h);
  const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => login(email, `wrong-${i}`)));
  assert.equal(responses.filter((response) => response.status === 422).length, 10);
  h.clock.advance(901);
  assert.equal((await login(email)).status, 200);
});

test('concurrent logins with the correct password all succeed', async () => {
  const { login } = await registered(h);
  const responses = await Promise.all(Array.from({ length: 20 }, () => login()));
  assert.ok(responses.every((response) => response.status === 200));
});

test('an email gets at most five reset emails an hour, whether registered or not', async () => {
  for (const email of [newEmail(), (await registered(h)).email]) {
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await forgot(email)).status);
    assert.equal(statuses[5], 429);
    assert.ok(statuses.filter((status) => status === 200).length >= 4);
  }
});

test('changing the password requires the old one, and guesses are limited', async () => {
  const { login } = await registered(h);
  const { accessToken: token } = (await login()).body;
  const change = (oldPassword?: string) =>
    h.call('POST', '/v1/users/reset-password', { token, body: { oldPassword, newPassword: 'another-horse-8' } });
  assert.deepEqual(codes((await change('wrong-one-1')).body), ['PASSWORD_WRONG']);
  assert.deepEqual(codes((await change()).body), ['PASSWORD_REQUIRED']);
  const statuses = [];
  for (let i = 0; i < 10; i++) statuses.push((await change('wrong-one-1')).status);
  assert.equal(statuses.at(-1), 429);
});
