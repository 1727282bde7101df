import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, registered } from '../people.ts';

const h = await startHarness({ ALLOWED_ORIGINS: 'https://shop.example', LIMIT_ADDRESS: '10000' });

const register = (body: object) =>
  h.call('POST', '/v1/users/register', { body: { provider: 'EMAIL_REGISTER', password: GOOD_PASSWORD, ...body } });
const login = (email: string, password = GOOD_PASSWORD) =>
  h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password } });
const confirm = (token: string) => h.call('PUT', '/v1/users/confirm', { body: { token } });
const codes = (body: { details: { error: string }[] }) => body.details.map((detail) => detail.error);

test('a user registers, confirms the email and logs in', async (t) => {
  const email = newEmail();
  assert.deepEqual((await register({ email, firstName: 'Ada', lastName: 'Lovelace' })).body, { success: true });
  const early = await login(email);
  assert.equal(early.status, 422);
  assert.deepEqual(codes(early.body), ['NOT_CONFIRMED']);
  const token = await mailedToken(h, email);
  assert.deepEqual((await confirm(token)).body, { success: true });
  assert.equal((await confirm(token)).status, 200, 'a second click is not an error');

  const now = h.clock.stop(t);
  const { body: auth } = await login(email.toUpperCase());
  assert.equal(auth.expiresAt, now + 3600);
  assert.deepEqual([auth.provider, auth.tokenType, auth.isGuest], ['EMAIL', 'Bearer', false]);
  const { body: user, headers } = await h.call('GET', '/v1/users/me', { token: auth.accessToken });
  assert.match(headers.get('etag')!, /^"\d+"$/);
  assert.deepEqual(user, {
    id: auth.userId,
    name: 'Ada Lovelace',
    email,
    isConfirmed: true,
    phoneNumbers: [],
    addresses: [],
    roleIds: [],
    roles: [],
    apiTokens: [],
    businessUserConfigs: [],
    lifecycle: { lastLoginAt: user.lifecycle.lastLoginAt, onboardingCompleted: false },
    secondFactor: { methods: [], requiredBy: [] },
  });
});

test('registering an existing email in any letter case fails with EMAIL_EXISTS', async () => {
  const { email } = await registered(h);
  const again = await register({ email: email.toUpperCase() });
  assert.equal(again.status, 400);
  assert.deepEqual(codes(again.body), ['EMAIL_EXISTS']);
});

test('a link confirms the password of its own registration and invalidates the others', async () => {
  for (const [used, unused] of [
    ['owner-chose-22', 'intruder-chose-1'],
    ['intruder-chose-1', 'owner-chose-22'],
  ] as const) {
    const email = newEmail();
    const tokens: Record<string, string> = {};
    for (const password of ['owner-chose-22', 'intruder-chose-1']) {
      await register({ email, password, name: password });
      tokens[password] = await mailedToken(h, email);
    }
    assert.equal((await confirm(tokens[used]!)).status, 200);
    assert.deepEqual(codes((await confirm(tokens[unused]!)).body), ['TOKEN_INVALID']);
    assert.equal((await login(email, unused)).status, 422);
    const { body: auth } = await login(email, used);
    assert.equal((await h.call('GET', '/v1/users/me', { token: auth.accessToken })).body.name, used);
    const change = { oldPassword: used, newPassword: 'changed-since-3' };
    await h.call('POST', '/v1/users/reset-password', { token: auth.accessToken, body: change });
    assert.equal((await confirm(tokens[used]!)).status, 422, 'a second click does not restore the old password');
    assert.equal((await login(email, 'changed-since-3')).status, 200);
  }
});

test('the email of a later registration mentions the earlier one', async () => {
  const email = newEmail();
  const texts = [];
  for (let i = 0; i < 2; i++) {
    await register({ email });
    await mailedToken(h, email);
    const mail = (await h.mailbox()).find((message) => message.to === email);
    texts.push(mail?.kind === 'mail' ? mail.text : '');
  }
  assert.doesNotMatch(texts[0]!, /earlier/);
  assert.match(texts[1]!, /already registered this email address but hasn't confirmed it/);
});

test('malformed emails are rejected, and plus-tags share one limit', async () => {
  const bad = ['a@localhost', 'a..b@example.com', '.a@example.com', 'a.@example.com', 'a@example..com', 'a@-b.com'];
  for (const email of [...bad, 'ada@ex\u00e4mple.com', '\u212aelvin@example.com', 'a@b@example.com', 'a@[1.2.3.4]']) {
    assert.equal((await register({ email })).status, 422, email);
  }
  const [local] = newEmail().split('@');
  const statuses = [];
  for (let i = 0; i < 7; i++) statuses.push((await register({ email: `${local}+${i}@Example.com` })).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
});

test('concurrent registrations of one email create one account', async () => {
  const email = newEmail();
  const responses = await Promise.all(Array.from({ length: 4 }, () => register({ email })));
  assert.ok(responses.every((response) => response.status === 200));
  const rows = await h.pool`select from users where email_key = ${email}`;
  assert.equal(rows.length, 1);
});

test('weak passwords and invalid emails fail with 422, and all errors are listed at once', async () => {
  const email = newEmail();
  const weak = ['short-1', 'onlyletters', '12345678', 'Password1', 'x'.repeat(129), `my-${email.split('@')[0]}`];
  for (const password of weak) {
    const response = await register({ email, password });
    assert.equal(response.status, 422, password);
    assert.deepEqual(codes(response.body), ['PASSWORD_WEAK']);
  }
  const both = await h.call('POST', '/v1/users/register', { body: { email: 'nobody' } });
  assert.equal(both.status, 422);
  assert.deepEqual(codes(both.body), ['INVALID_FORMAT', 'PASSWORD_REQUIRED']);
  assert.equal((await register({ email, provider: 'NOPE' })).status, 400);
});

test('input with line breaks never reaches an email header', async () => {
  for (const email of ['a@b.com\r\nBcc: x@y.z', 'a\n@b.com', '"a b"@c.de', 'a@b.com,c@d.ef']) {
    assert.equal((await register({ email })).status, 422, email);
  }
  assert.equal((await register({ email: newEmail(), name: 'A\r\nBcc: x@y.z' })).status, 422);
});

test('confirmation links point only to an allowed site or the built-in page', async () => {
  const linkFor = async (reserveDomain?: string) => {
    const email = newEmail();
    const response = await register({ email, ...(reserveDomain === undefined ? {} : { reserveDomain }) });
    if (response.status !== 200) return codes(response.body)[0];
    await mailedToken(h, email);
    const mail = (await h.mailbox()).find((message) => message.to === email);
    return /https?:\S+(?=\?token=)/.exec(mail?.kind === 'mail' ? mail.text : '')?.[0];
  };
  assert.equal(await linkFor(), `${h.url}/confirm`);
  assert.equal(await linkFor('https://shop.example'), 'https://shop.example/confirm');
  assert.equal(await linkFor('shop.example'), 'https://shop.example/confirm');
  assert.equal(await linkFor('https://shop.example//evil.example'), 'https://shop.example/confirm', 'the origin only');
  const strangers = [
    '//evil.example',
    'https://shop.example.evil.example',
    'https://shop.example@evil.example',
    'http://shop.example',
    'javascript:alert(1)',
    'https://evil.example/https://shop.example',
    'https:\\\\evil.example',
  ];
  for (const stranger of strangers) assert.equal(await linkFor(stranger), 'INVALID_ORIGIN_URI', stranger);
});

test('forged, wrong-purpose and expired confirmation tokens are rejected', async () => {
  const email = newEmail();
  await register({ email });
  const token = await mailedToken(h, email);
  const [payload, signature] = token.split('.') as [string, string];
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('usr_', 'usr-')).toString(
    'base64url',
  );
  await h.call('POST', '/v1/users/forgot-password', { body: { email } });
  const reset = await mailedToken(h, email);
  for (const bad of [`${forged}.${signature}`, `${payload}.`, payload, reset, 'x.y']) {
    assert.deepEqual(codes((await confirm(bad)).body), ['TOKEN_INVALID'], bad);
  }
  h.clock.advance(3601);
  assert.deepEqual(codes((await confirm(token)).body), ['TOKEN_EXPIRED']);
});

test('a malformed login or a missing password fails with 400', async () => {
  const email = newEmail();
  for (const body of [
    { email },
    { email, password: '' },
    { email, password: 5 },
    { password: 'x' },
    { email: 'x', password: 'y' },
  ]) {
    const response = await h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', ...body } });
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.equal(response.body.error, 'BAD_REQUEST');
  }
  const missing = await h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email } });
  assert.deepEqual(codes(missing.body), ['PASSWORD_REQUIRED']);
  for (const provider of ['NOPE', 'API', 'OAUTH_IDP', '']) {
    const response = await h.call('POST', '/v1/users/login', { body: { provider, email, password: 'x' } });
    assert.equal(response.status, 400, provider);
  }
});
