/** Accounts as specified, with a real OpenID Connect provider. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { CLIENT, startIdp } from '../accounts/oauth/idp.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, smsCode } from '../accounts/people.ts';
import { type Json, startHarness } from '../harness.ts';
import { openContract } from './contract.ts';
import { AUTH_RESULT, pageOf, SUCCESS, USER } from './fields.ts';

const ORIGIN = 'https://shop.example';
const REDIRECT = `${ORIGIN}/callback`;
const idp = await startIdp([REDIRECT]);
const h = await startHarness({
  OAUTH_IDP_ISSUER: idp.issuer,
  OAUTH_IDP_CLIENT_ID: CLIENT.id,
  OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
  OAUTH_IDP_NAME: 'ACME',
  ALLOWED_ORIGINS: ORIGIN,
});
const U = '/v1/users';
const { ok, fails, testAllCalled } = await openContract(h, {
  [`POST ${U}/register`]: SUCCESS,
  [`PUT ${U}/confirm`]: SUCCESS,
  [`POST ${U}/login`]: AUTH_RESULT,
  [`GET ${U}/login/url`]: { url: 'string' },
  [`POST ${U}/refresh`]: AUTH_RESULT,
  [`POST ${U}/refresh-access-token`]: AUTH_RESULT,
  [`POST ${U}/logout`]: SUCCESS,
  [`GET ${U}/me`]: USER,
  [`PUT ${U}/update`]: USER,
  [`PUT ${U}`]: USER,
  [`POST ${U}/phone-number`]: SUCCESS,
  [`POST ${U}/phone-number/confirm`]: SUCCESS,
  [`POST ${U}/forgot-password`]: SUCCESS,
  [`POST ${U}/reset-forgot-password`]: SUCCESS,
  [`POST ${U}/reset-password`]: SUCCESS,
  [`GET ${U}/search`]: pageOf(USER),
  // The user has not acted in the business, so only these fields are returned.
  [`PUT ${U}/set-role`]: { id: USER.id!, roleIds: USER.roleIds!, roles: USER.roles! },
});

const claimsOf = (token: string): Json => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const login = (email: string, password = GOOD_PASSWORD) =>
  ok(`POST ${U}/login`, { body: { provider: 'EMAIL', email, password } });

async function registered(more: object = {}) {
  const email = newEmail();
  const body = { provider: 'EMAIL_REGISTER', email, password: GOOD_PASSWORD, reserveDomain: ORIGIN, ...more };
  assert.deepEqual(await ok(`POST ${U}/register`, { body }), { success: true });
  return email;
}

async function confirmed(more: object = {}) {
  const email = await registered(more);
  await ok(`PUT ${U}/confirm`, { body: { token: await mailedToken(h, email) } });
  return email;
}

test('a user can log in after confirming the registration by email', async () => {
  const email = await registered({ firstName: 'Ada', lastName: 'Lovelace' });
  const mail: Json = (await h.mailbox()).find((message) => message.to === email);
  assert.ok(mail.text.includes(`${ORIGIN}/confirm?token=`), 'the link points to reserveDomain');
  const body = { provider: 'EMAIL', email, password: GOOD_PASSWORD };
  assert.deepEqual(await fails(`POST ${U}/login`, 422, { body }), ['email NOT_CONFIRMED']);
  await ok(`PUT ${U}/confirm`, { body: { token: await mailedToken(h, email) } });
  const { accessToken } = await login(email);
  const user = await ok(`GET ${U}/me`, { token: accessToken });
  assert.deepEqual([user.name, user.email, user.isConfirmed], ['Ada Lovelace', email, true]);
  assert.ok(Number.isInteger(user.lifecycle.lastLoginAt));

  const late = await registered();
  const token = await mailedToken(h, late);
  h.clock.advance(3601);
  assert.deepEqual(await fails(`PUT ${U}/confirm`, 422, { body: { token } }), ['token TOKEN_EXPIRED']);
});

test('errors match the examples in the documented API', async () => {
  const email = await confirmed();
  const register = (more: object) => ({
    body: { provider: 'EMAIL_REGISTER', email, password: GOOD_PASSWORD, ...more },
  });
  assert.deepEqual(await fails(`POST ${U}/register`, 400, register({})), ['email EMAIL_EXISTS']);
  assert.deepEqual(await fails(`POST ${U}/register`, 400, register({ email: email.toUpperCase() })), [
    'email EMAIL_EXISTS',
  ]);
  assert.deepEqual(await fails(`POST ${U}/register`, 422, register({ password: 'weak' })), ['password PASSWORD_WEAK']);
  assert.deepEqual(await fails(`POST ${U}/register`, 422, register({ password: undefined })), [
    'password PASSWORD_REQUIRED',
  ]);
  assert.deepEqual(await fails(`POST ${U}/register`, 422, register({ email: 'nobody' })), ['email INVALID_FORMAT']);
  assert.deepEqual(await fails(`POST ${U}/register`, 422, register({ reserveDomain: 'https://evil.example' })), [
    'reserveDomain INVALID_ORIGIN_URI',
  ]);
  assert.deepEqual(await fails(`POST ${U}/register`, 400, register({ provider: 'PIGEON' })), []);

  const tryLogin = (more: object) => ({ body: { provider: 'EMAIL', email, password: GOOD_PASSWORD, ...more } });
  const wrong = ['password PASSWORD_WRONG'];
  assert.deepEqual(await fails(`POST ${U}/login`, 422, tryLogin({ password: 'wrong-horse-8' })), wrong);
  assert.deepEqual(await fails(`POST ${U}/login`, 422, tryLogin({ email: newEmail() })), wrong);
  assert.deepEqual(await fails(`POST ${U}/login`, 400, tryLogin({ password: undefined })), [
    'password PASSWORD_REQUIRED',
  ]);
  assert.deepEqual(await fails(`POST ${U}/login`, 400, tryLogin({ email: 'nobody' })), ['email INVALID_FORMAT']);
  assert.deepEqual(await fails(`POST ${U}/login`, 400, tryLogin({ email: 7 })), ['email INVALID_TYPE']);
  for (const provider of ['PIGEON', 'API', 'EMAIL_REGISTER', '']) {
    assert.deepEqual(await fails(`POST ${U}/login`, 400, tryLogin({ provider })), []);
  }
  assert.deepEqual(await fails(`POST ${U}/refresh`, 400, { body: { provider: 'PIGEON', refreshToken: 'x' } }), []);
  await fails(`POST ${U}/login`, 400, { body: '{' });
  await fails(`GET ${U}/me`, 401);
  await fails(`GET ${U}/me`, 401, { headers: { authorization: 'Basic YTpi' } });
});

test('an EMAIL login returns an access token for 3600 seconds and a refresh token without expiry', async (t) => {
  const email = await confirmed();
  const now = h.clock.stop(t);
  const auth = await login(email);
  assert.deepEqual([auth.provider, auth.tokenType, auth.isGuest], ['EMAIL', 'Bearer', false]);
  const access = claimsOf(auth.accessToken);
  const { sub, provider, exp } = access;
  assert.deepEqual([sub, access.email, provider, exp], [auth.userId, email, 'EMAIL', auth.expiresAt]);
  assert.equal(exp, now + 3600);
  const refresh = claimsOf(auth.refreshToken);
  assert.deepEqual([refresh.sub, refresh.email, refresh.provider, refresh.exp], [sub, email, 'EMAIL', null]);

  h.clock.advance(3600);
  await fails(`GET ${U}/me`, 401, { token: auth.accessToken });
  await fails(`GET ${U}/me`, 401, { token: auth.refreshToken });
  for (const name of [`POST ${U}/refresh`, `POST ${U}/refresh-access-token`] as const) {
    const body = { provider: 'EMAIL', refreshToken: auth.refreshToken };
    const renewed = await ok(name, { body });
    assert.equal(renewed.userId, auth.userId);
    await ok(`GET ${U}/me`, { token: renewed.accessToken });
  }
  await fails(`POST ${U}/refresh`, 401, { body: { provider: 'EMAIL', refreshToken: auth.accessToken } });
});

test('a guest login accepts a phone number, and its token contains no email', async () => {
  const body = { provider: 'GUEST', phoneNumber: '+4915112345678' };
  const auth = await ok(`POST ${U}/login`, { body });
  assert.deepEqual([auth.provider, auth.isGuest], ['GUEST', true]);
  const claims = claimsOf(auth.accessToken);
  assert.deepEqual([claims.sub, claims.provider, 'email' in claims], [auth.userId, 'GUEST', false]);
  const user = await ok(`GET ${U}/me`, { token: auth.accessToken });
  assert.deepEqual([user.phoneNumbers, 'email' in user], [['+4915112345678'], false]);
  await ok(`POST ${U}/refresh`, { body: { provider: 'GUEST', refreshToken: auth.refreshToken } });
});

test('a login with the identity provider creates a confirmed user, and logout ends it there too', async () => {
  for (const provider of ['OAUTH_IDP', 'ACME']) {
    const query = { provider, originUrl: ORIGIN, redirectUrl: REDIRECT };
    const { url } = await ok(`GET ${U}/login/url`, { query });
    const email = newEmail();
    const { code } = await idp.visit(url, { sub: randomUUID(), email, email_verified: true, name: 'Grace' });
    const auth = await ok(`POST ${U}/login`, { body: { provider, code, originUrl: ORIGIN } });
    assert.deepEqual([auth.isGuest, auth.provider], [false, 'ACME']);
    const claims = claimsOf(auth.refreshToken);
    assert.deepEqual([claims.sub, claims.email, claims.exp], [auth.userId, email, null]);
    const user = await ok(`GET ${U}/me`, { token: auth.accessToken });
    assert.deepEqual([user.email, user.isConfirmed, user.name], [email, true, 'Grace']);
    await ok(`POST ${U}/refresh`, { body: { provider, refreshToken: auth.refreshToken } });
    await ok(`POST ${U}/logout`, { body: { provider, token: auth.accessToken, originUrl: ORIGIN } });
    await fails(`GET ${U}/me`, 401, { token: auth.accessToken });
    await fails(`POST ${U}/refresh`, 401, { body: { provider, refreshToken: auth.refreshToken } });
  }
});

test('URLs that are not on the allow lists are rejected', async () => {
  const ask = (more: object) => ({
    query: { provider: 'OAUTH_IDP', originUrl: ORIGIN, redirectUrl: REDIRECT, ...more },
  });
  const evil = 'https://evil.example';
  assert.deepEqual(await fails(`GET ${U}/login/url`, 422, ask({ originUrl: evil })), ['originUrl INVALID_ORIGIN_URI']);
  assert.deepEqual(await fails(`GET ${U}/login/url`, 422, ask({ redirectUrl: evil })), [
    'redirectUrl INVALID_REDIRECT_URI',
  ]);
  assert.deepEqual(await fails(`GET ${U}/login/url`, 400, ask({ provider: 'EMAIL' })), []);
  const body = { provider: 'OAUTH_IDP', code: 'x', originUrl: evil };
  assert.deepEqual(await fails(`POST ${U}/login`, 422, { body }), ['originUrl INVALID_ORIGIN_URI']);
});

test('profile fields can be updated one by one or all at once', async () => {
  const { accessToken: token } = await login(await confirmed());
  const address = { street: 'Main Street 1', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' };
  const value = `key-${randomUUID()}`;
  const body = {
    name: 'Ada King',
    phoneNumbers: ['+4915112345678'],
    addresses: [address],
    apiTokens: [{ id: 'ci', name: 'CI', value, provider: 'API' }],
  };
  const user = await ok(`PUT ${U}/update`, { token, body });
  assert.deepEqual(user.name, 'Ada King');
  assert.deepEqual([user.phoneNumbers, user.addresses], [['+4915112345678'], [address]]);
  const masked = { id: 'ci', name: 'CI', value: `****${value.slice(-4)}`, provider: 'API' };
  assert.deepEqual(user.apiTokens, [masked]);
  assert.deepEqual(await ok(`GET ${U}/me`, { token }), user);

  const { name: _, ...read } = await ok(`PUT ${U}/update`, { token, body: { name: 'Ada' } });
  const { name: __, ...before } = user;
  assert.deepEqual(read, before, 'omitted fields keep their value');
  assert.deepEqual((await ok(`PUT ${U}`, { token, body: user })).apiTokens, [masked], 'a masked value keeps the key');

  for (const headers of [{ 'x-api-key': value }, { authorization: `Bearer ${value}` }] as Record<string, string>[]) {
    assert.equal((await ok(`GET ${U}/me`, { headers })).id, user.id);
  }
  await ok(`PUT ${U}/update`, { token, body: { apiTokens: [] } });
  await fails(`GET ${U}/me`, 401, { headers: { 'x-api-key': value } });
  await fails(`PUT ${U}/update`, 422, { token, body: { phoneNumbers: '+4915112345678' } });
});

test('a phone number is verified with the code from an SMS', async () => {
  const { accessToken: token } = await login(await confirmed());
  const phoneNumber = '+4915187654321';
  await ok(`POST ${U}/phone-number`, { token, body: { phoneNumber } });
  const code = await smsCode(h, phoneNumber);
  const wrong = { token, body: { phoneNumber, code: code === '000000' ? '000001' : '000000' } };
  assert.deepEqual(await fails(`POST ${U}/phone-number/confirm`, 422, wrong), ['code CODE_INVALID']);
  await ok(`POST ${U}/phone-number/confirm`, { token, body: { phoneNumber, code } });
  assert.deepEqual((await ok(`GET ${U}/me`, { token })).phoneNumbers, [phoneNumber]);
  const bad = { token, body: { phoneNumber: 'seven' } };
  assert.deepEqual(await fails(`POST ${U}/phone-number`, 422, bad), ['phoneNumber INVALID_FORMAT']);
});

test('a password can be reset by email and changed with the old password', async () => {
  const email = await confirmed();
  await ok(`POST ${U}/forgot-password`, { body: { email, reserveDomain: ORIGIN } });
  const token = await mailedToken(h, email);
  const [second, third] = ['second-horse-8', 'third-horse-9'];
  const weak = { body: { token, password: 'weak' } };
  assert.deepEqual(await fails(`POST ${U}/reset-forgot-password`, 422, weak), ['password PASSWORD_WEAK']);
  await ok(`POST ${U}/reset-forgot-password`, { body: { token, password: second } });
  const { accessToken } = await login(email, second);
  const wrong = { token: accessToken, body: { oldPassword: GOOD_PASSWORD, newPassword: third } };
  assert.deepEqual(await fails(`POST ${U}/reset-password`, 422, wrong), ['oldPassword PASSWORD_WRONG']);
  await ok(`POST ${U}/reset-password`, { token: accessToken, body: { oldPassword: second, newPassword: third } });
  await login(email, third);
  await ok(`POST ${U}/forgot-password`, { body: { email: newEmail() } });
  await fails(`POST ${U}/reset-password`, 401, { body: { oldPassword: second, newPassword: third } });
});

test('user search and set-role require ADMIN', async () => {
  const businessId = await h.business();
  const { userId, token } = await h.member(businessId, 'ADMIN');
  const { accessToken, userId: other } = await login(await confirmed());
  const role = { businessId, name: 'Staff', permissions: ['ORDER_READ'] };
  const { body: made } = await h.call('POST', '/v1/roles', { token, body: role });
  const body = { userId: other, roleId: made.id, businessId };
  await fails(`PUT ${U}/set-role`, 403, { token: accessToken, body });
  const user = await ok(`PUT ${U}/set-role`, { token, body });
  assert.deepEqual([user.id, user.roleIds], [other, [made.id]]);
  assert.deepEqual(user.roles[0].permissions, ['ORDER_READ']);
  await fails(`PUT ${U}/set-role`, 404, { token, body: { ...body, userId: 'usr_none' } });

  for (const member of [token, accessToken])
    await h.call('GET', `/v1/businesses/${businessId}/orders`, { token: member });
  const search = (query: Record<string, string>) => ok(`GET ${U}/search`, { token, query });
  const all = await search({ businessId, query: '', limit: '1' });
  const rest = await search({ businessId, limit: '1', cursor: all.cursor });
  assert.deepEqual([...all.items, ...rest.items].map((each) => each.id).sort(), [userId, other].sort());
  assert.deepEqual(
    (await search({ businessId, roleIds: made.id })).items.map((each: Json) => each.id),
    [other],
  );
  await fails(`GET ${U}/search`, 403, { token: accessToken, query: { businessId } });
  await fails(`GET ${U}/search`, 401);
});

testAllCalled();
