import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { codeAt, stepAt } from '../../../src/domains/accounts/factors/totp.ts';
import { startHarness } from '../../harness.ts';
import { secondFactor } from '../factors/steps.ts';
import { GOOD_PASSWORD, invited, mailedToken, newEmail, registered } from '../people.ts';
import { CLIENT, type Person, startIdp } from './idp.ts';

const ORIGIN = 'https://shop.example';
const REDIRECT = `${ORIGIN}/callback`;
const APP_REDIRECT = 'https://app.example/oauth/done';
const idp = await startIdp([REDIRECT, APP_REDIRECT]);
const h = await startHarness({
  OAUTH_IDP_ISSUER: idp.issuer,
  OAUTH_IDP_CLIENT_ID: CLIENT.id,
  OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
  OAUTH_IDP_NAME: 'ACME',
  ALLOWED_ORIGINS: `${ORIGIN},https://second.example`,
  ALLOWED_REDIRECTS: 'https://app.example/oauth',
  LIMIT_ADDRESS: '10000',
  TRUST_PROXY: '1',
});

const loginUrl = (query: Record<string, string>, from = '192.0.2.1') =>
  h.call('GET', `/v1/users/login/url?${new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: ORIGIN, ...query })}`, {
    headers: { 'x-forwarded-for': from },
  });
const login = (body: object) =>
  h.call('POST', '/v1/users/login', { body: { provider: 'OAUTH_IDP', originUrl: ORIGIN, ...body } });
const person = (email = newEmail(), email_verified = true) => ({
  sub: randomUUID(),
  email,
  email_verified,
  name: 'Ada Lovelace',
});
const begin = async (who: Person, redirectUrl = REDIRECT, from?: string) => {
  const { body } = await loginUrl({ redirectUrl }, from);
  return idp.visit(body.url, who);
};
const codes = (body: { details: { field: string; error: string }[] }) => body.details.map((detail) => detail.error);

test('a first login creates a confirmed user, and the next login finds the same user', async () => {
  const who = person();
  const { code, state, to } = await begin(who);
  assert.equal(to, REDIRECT);
  const { body: auth, status } = await login({ code, state });
  assert.equal(status, 200, JSON.stringify(auth));
  assert.deepEqual([auth.provider, auth.isGuest, auth.tokenType], ['ACME', false, 'Bearer']);
  const { body: user } = await h.call('GET', '/v1/users/me', { token: auth.accessToken });
  assert.deepEqual([user.email, user.name, user.isConfirmed], [who.email, 'Ada Lovelace', true]);

  const moved = { ...who, email: newEmail() };
  const again = await begin(moved, APP_REDIRECT);
  const { body: second } = await login({ provider: 'ACME', code: again.code, state: again.state });
  assert.equal(second.userId, auth.userId, 'found by subject, not by email');
});

test('a recent login lets a user without a password add a second factor, which later logins require', async () => {
  const who = person();
  const first = await begin(who);
  const token = (await login({ code: first.code, state: first.state })).body.accessToken;
  const { secret } = (await h.call('POST', '/v1/users/me/totp', { token })).body;
  const code = (skew: number) => codeAt(secret, stepAt(h.clock.seconds()) + skew);
  const confirmed = await h.call('POST', '/v1/users/me/totp/confirm', { token, body: { code: code(-1) } });
  assert.equal(confirmed.status, 200);
  const next = await begin(who);
  const requested = await login({ code: next.code, state: next.state });
  assert.deepEqual([requested.status, requested.body.error], [401, 'SECOND_FACTOR_REQUIRED']);
  const done = await secondFactor(h, requested.body.challenge!, 'TOTP', { code: code(0) });
  assert.deepEqual([done.status, done.body.provider], [200, 'ACME']);
  const body = { token: done.body.refreshToken, provider: 'ACME' };
  assert.equal((await h.call('POST', '/v1/users/logout', { body })).status, 200);
  const other = person();
  const flow = await begin(other);
  const { refreshToken } = (await login({ code: flow.code, state: flow.state })).body;
  h.clock.advance(301);
  const late = (await h.call('POST', '/v1/users/refresh', { body: { refreshToken } })).body.accessToken;
  const refused = (await h.call('POST', '/v1/users/me/totp', { token: late })).body;
  assert.deepEqual([refused.error, refused.methods], ['STEP_UP_REQUIRED', ['LOGIN']]);
});

test('a client that sends no state completes its own login, even if several are pending', async () => {
  const people = [person(), person(), person()];
  const flows = [await begin(people[0]!), await begin(people[1]!), await begin(people[2]!, REDIRECT, '203.0.113.9')];
  for (const [i, { code }] of flows.entries()) {
    const { status, body } = await login({ code });
    assert.equal(status, 200, JSON.stringify(body));
    const { email } = (await h.call('GET', '/v1/users/me', { token: body.accessToken })).body;
    assert.equal(email, people[i]!.email);
  }
  assert.deepEqual(codes((await login({ code: flows[0]!.code })).body), ['STATE_INVALID'], 'no login is pending');
});

test('wrong codes, with and without a state, do not affect pending logins', async () => {
  const flows = [await begin(person()), await begin(person())];
  const open = () => h.pool`select * from oauth_flows order by state_hash`;
  const before = await open();
  for (const state of [undefined, flows[0]!.state, flows[1]!.state]) {
    for (let i = 0; i < 3; i++)
      assert.deepEqual(codes((await login({ code: `made-up-${i}`, state })).body), ['CODE_INVALID']);
  }
  assert.deepEqual(await open(), before);
  assert.equal((await login({ code: flows[0]!.code })).status, 200);
  assert.equal((await login({ code: flows[1]!.code, state: flows[1]!.state })).status, 200);
});

test('a login without state works even while others start logins with made-up redirect URLs', async () => {
  const { code } = await begin(person(), REDIRECT, '203.0.113.9');
  h.clock.advance(1);
  for (let i = 0; i < 3; i++) await loginUrl({ redirectUrl: `${ORIGIN}/made-up-${i}` }, '198.51.100.7');
  assert.equal((await login({ code })).status, 200);
});

test('a code is exchanged with the provider only once', async () => {
  const before = idp.exchanged.length;
  const flows = [await begin(person()), await begin(person())];
  assert.equal((await login({ code: flows[0]!.code })).status, 200);
  assert.equal(idp.exchanged.length, before + 1);
});

test('a wrong state, a used code and the code of another login are rejected', async () => {
  const one = await begin(person());
  assert.deepEqual(codes((await login({ code: one.code, state: 'made-up' })).body), ['STATE_INVALID']);
  assert.equal((await login({ code: one.code, state: one.state })).status, 200);
  assert.deepEqual(codes((await login({ code: one.code, state: one.state })).body), ['STATE_INVALID']);

  const [mine, theirs] = [await begin(person()), await begin(person())];
  assert.deepEqual(codes((await login({ code: one.code, state: mine.state })).body), ['CODE_INVALID']);
  // The nonce in the ID token belongs to its own flow, so injecting the code into another login fails.
  const victim = await begin(person());
  assert.deepEqual(codes((await login({ code: theirs.code, state: victim.state })).body), ['CODE_INVALID']);
  const late = await begin(person());
  h.clock.advance(601);
  assert.deepEqual(codes((await login({ code: late.code, state: late.state })).body), ['STATE_INVALID']);
});

test('a login started on one site cannot be completed on another', async () => {
  const { code, state } = await begin(person());
  const response = await login({ code, state, originUrl: 'https://second.example' });
  assert.deepEqual(codes(response.body), ['INVALID_ORIGIN_URI']);
  // Without a state, and with a redirect URL that both sites may use.
  const first = await begin(person(), APP_REDIRECT);
  await loginUrl({ originUrl: 'https://second.example', redirectUrl: APP_REDIRECT });
  const other = await login({ code: first.code, originUrl: 'https://second.example' });
  assert.deepEqual(codes(other.body), ['CODE_INVALID']);
});

test('an email that the provider has not verified is neither stored nor linked', async () => {
  const { email } = await registered(h);
  const kelvin = email.replace('@', '\u212a@');
  await registered(h, email.replace('@', 'k@'));
  const strangers: Person[] = [
    { ...person(email), email_verified: false },
    { sub: randomUUID(), email },
    { ...person(), email_verified: false },
    { sub: randomUUID() },
    person(kelvin),
  ];
  for (const who of strangers) {
    const [first, second] = [await begin(who), await begin(who)];
    const { status, body } = await login(first);
    assert.equal(status, 200, JSON.stringify(body));
    const { body: user } = await h.call('GET', '/v1/users/me', { token: body.accessToken });
    assert.deepEqual([user.email, user.isConfirmed], [undefined, true]);
    assert.equal((await login(second)).body.userId, body.userId, 'found by subject');
  }
});

test('OAUTH_IDP_TRUST_EMAIL trusts a missing email_verified claim, but not a false one', async () => {
  const trusting = await startHarness({
    OAUTH_IDP_ISSUER: idp.issuer,
    OAUTH_IDP_CLIENT_ID: CLIENT.id,
    OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
    OAUTH_IDP_TRUST_EMAIL: '1',
    ALLOWED_ORIGINS: ORIGIN,
  });
  const emailOf = async (who: Person) => {
    const query = new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: ORIGIN, redirectUrl: REDIRECT });
    const { body } = await trusting.call('GET', `/v1/users/login/url?${query}`);
    const { code } = await idp.visit(body.url, who);
    const response = await trusting.call('POST', '/v1/users/login', {
      body: { provider: 'OAUTH_IDP', originUrl: ORIGIN, code },
    });
    return (await trusting.call('GET', '/v1/users/me', { token: response.body.accessToken })).body.email;
  };
  const email = newEmail();
  assert.equal(await emailOf({ sub: randomUUID(), email }), email);
  assert.equal(await emailOf({ ...person(), email_verified: false }), undefined);
});

test('with REGISTRATION=invited, a first login needs an invitation to the verified email, and later logins do not', async () => {
  const closed = await startHarness({
    OAUTH_IDP_ISSUER: idp.issuer,
    OAUTH_IDP_CLIENT_ID: CLIENT.id,
    OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
    REGISTRATION: 'invited',
    ALLOWED_ORIGINS: ORIGIN,
  });
  const who = person();
  const valid = await invited(closed, who.email);
  const users = () => closed.pool`select id from users`;
  const before = (await users()).length;
  const attempt = async (as: Person, invitationToken?: string) => {
    const query = new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: ORIGIN, redirectUrl: REDIRECT });
    const { body } = await closed.call('GET', `/v1/users/login/url?${query}`);
    const { code, state } = await idp.visit(body.url, as);
    const sent = { provider: 'OAUTH_IDP', originUrl: ORIGIN, code, state, invitationToken };
    return (await closed.call('POST', '/v1/users/login', { body: sent })).status;
  };
  assert.deepEqual([await attempt(who), await attempt(person(), valid)], [403, 403]);
  assert.equal(await attempt({ ...who, email_verified: false }, valid), 403, 'the email must be verified');
  assert.equal((await users()).length, before);
  assert.deepEqual([await attempt(who, valid), await attempt(who)], [200, 200]);
});

test('a confirmed account with the verified email is linked and keeps its password', async () => {
  const { email, login: byPassword } = await registered(h);
  const { code, state } = await begin(person(email.toUpperCase()));
  const { body } = await login({ code, state });
  const { body: same } = await byPassword();
  assert.equal(body.userId, same.userId);
});

test('a password set by someone who registered the email first no longer works', async () => {
  const email = newEmail();
  await h.call('POST', '/v1/users/register', { body: { email, password: GOOD_PASSWORD } });
  const trap = await mailedToken(h, email);
  const { code, state } = await begin(person(email));
  assert.equal((await login({ code, state })).status, 200);
  const body = { provider: 'EMAIL', email, password: GOOD_PASSWORD };
  assert.deepEqual(codes((await h.call('POST', '/v1/users/login', { body })).body), ['PASSWORD_WRONG']);
  assert.equal((await h.call('PUT', '/v1/users/confirm', { body: { token: trap } })).status, 422);
});

test('two concurrent first logins by one person create one user', async () => {
  const who = person();
  const flows = [await begin(who), await begin(who)];
  const responses = await Promise.all(flows.map(({ code, state }) => login({ code, state })));
  assert.deepEqual(
    responses.map((response) => response.status),
    [200, 200],
  );
  assert.equal(responses[0]!.body.userId, responses[1]!.body.userId);
});

test('logout revokes the tokens with the provider', async () => {
  const who = person();
  const { code, state } = await begin(who);
  const { body: auth } = await login({ code, state });
  const [row] = await h.pool`select idp_tokens from sessions where user_id = ${auth.userId}`;
  assert.match(row!.idpTokens, /^v1\./, 'encrypted');
  const body = { provider: 'OAUTH_IDP', token: auth.accessToken, originUrl: ORIGIN };
  assert.equal((await h.call('POST', '/v1/users/logout', { body: { ...body, provider: 'NOPE' } })).status, 400);
  const stranger = await h.call('POST', '/v1/users/logout', { body: { ...body, originUrl: 'https://evil.example' } });
  assert.deepEqual(codes(stranger.body), ['INVALID_ORIGIN_URI']);
  assert.equal((await h.call('POST', '/v1/users/logout', { body })).status, 200);
  await h.drain('revoke-idp-tokens');
  assert.ok(idp.revoked.includes(who.sub));
});

test('URLs that only look allowed are rejected', async () => {
  const hostile = [
    '//evil.example',
    'https://shop.example.evil.example',
    'https://shop.example@evil.example',
    'https://shop.example:8443',
    'http://shop.example',
    'javascript:alert(1)//shop.example',
    'https:/\\evil.example',
    'https://app.example/oauth/../../evil',
    'https://app.example/oauthevil',
  ];
  for (const url of hostile) {
    const origin = await loginUrl({ originUrl: url, redirectUrl: REDIRECT });
    assert.deepEqual([origin.status, codes(origin.body)], [422, ['INVALID_ORIGIN_URI']], url);
    const redirect = await loginUrl({ redirectUrl: url });
    assert.deepEqual([redirect.status, codes(redirect.body)], [422, ['INVALID_REDIRECT_URI']], url);
    assert.equal((await login({ code: 'x', originUrl: url })).status, 422);
  }
  assert.equal((await loginUrl({ redirectUrl: `${REDIRECT}?next=1` })).status, 422);
  assert.equal((await loginUrl({ provider: 'EMAIL' })).status, 400);
  assert.equal((await login({})).status, 400);
});

test('a login fails with 503 while the provider is unreachable', async () => {
  const { code, state } = await begin(person());
  idp.stop();
  const response = await login({ code, state });
  assert.equal(response.status, 503);
});
