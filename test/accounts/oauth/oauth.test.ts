import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { GOOD_PASSWORD, mailedToken, newEmail, registered } from '../people.ts';
import { CLIENT, startIdp } from './idp.ts';

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
});

const loginUrl = (query: Record<string, string>) =>
  h.call('GET', `/v1/users/login/url?${new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: ORIGIN, ...query })}`);
const login = (body: object) =>
  h.call('POST', '/v1/users/login', { body: { provider: 'OAUTH_IDP', originUrl: ORIGIN, ...body } });
const person = (email = newEmail(), email_verified = true) => ({
  sub: randomUUID(),
  email,
  email_verified,
  name: 'Ada Lovelace',
});
const begin = async (who: ReturnType<typeof person>, redirectUrl = REDIRECT) => {
  const { body } = await loginUrl({ redirectUrl });
  return idp.visit(body.url, who);
};
const codes = (body: { details: { field: string; error: string }[] }) => body.details.map((detail) => detail.error);

test('a new person comes in confirmed, and is the same one the next time', async () => {
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
  assert.equal(second.userId, auth.userId, 'found by subject, not by e-mail');
});

test('a client that sends no state back gets the flow it began', async () => {
  const { code } = await begin(person());
  assert.equal((await login({ code })).status, 200);
  assert.deepEqual(codes((await login({ code })).body), ['STATE_INVALID']);
});

test('a wrong state, a used code and the code of another login are refused', async () => {
  const one = await begin(person());
  assert.deepEqual(codes((await login({ code: one.code, state: 'made-up' })).body), ['STATE_INVALID']);
  assert.equal((await login({ code: one.code, state: one.state })).status, 200);
  assert.deepEqual(codes((await login({ code: one.code, state: one.state })).body), ['STATE_INVALID']);

  const [mine, theirs] = [await begin(person()), await begin(person())];
  assert.deepEqual(codes((await login({ code: one.code, state: mine.state })).body), ['CODE_INVALID']);
  // The code is bound to its own verifier: injected into another's login it is worth nothing.
  const victim = await begin(person());
  assert.deepEqual(codes((await login({ code: theirs.code, state: victim.state })).body), ['CODE_INVALID']);
  const late = await begin(person());
  h.clock.advance(601);
  assert.deepEqual(codes((await login({ code: late.code, state: late.state })).body), ['STATE_INVALID']);
});

test('a login begun for one site does not end on another', async () => {
  const { code, state } = await begin(person());
  const answer = await login({ code, state, originUrl: 'https://second.example' });
  assert.deepEqual(codes(answer.body), ['INVALID_ORIGIN_URI']);
});

test('an e-mail that the provider does not vouch for opens nothing and makes nobody', async () => {
  const { email } = await registered(h);
  for (const who of [person(email, false), person(newEmail(), false), { sub: randomUUID() } as never]) {
    const { code, state } = await begin(who);
    const answer = await login({ code, state });
    assert.equal(answer.status, 422);
    assert.deepEqual(codes(answer.body), ['NOT_CONFIRMED']);
    const identities = await h.pool`select from identities where subject = ${(who as { sub: string }).sub}`;
    assert.equal(identities.length, 0);
  }
});

test('a confirmed account with the verified e-mail is linked and keeps its password', async () => {
  const { email, login: byPassword } = await registered(h);
  const { code, state } = await begin(person(email.toUpperCase()));
  const { body } = await login({ code, state });
  const { body: same } = await byPassword();
  assert.equal(body.userId, same.userId);
});

test('who registered the address before its owner came loses the password they chose', async () => {
  const email = newEmail();
  await h.call('POST', '/v1/users/register', { body: { email, password: GOOD_PASSWORD } });
  const trap = await mailedToken(h, email);
  const { code, state } = await begin(person(email));
  assert.equal((await login({ code, state })).status, 200);
  const body = { provider: 'EMAIL', email, password: GOOD_PASSWORD };
  assert.deepEqual(codes((await h.call('POST', '/v1/users/login', { body })).body), ['PASSWORD_WRONG']);
  assert.equal((await h.call('PUT', '/v1/users/confirm', { body: { token: trap } })).status, 422);
});

test('two first logins of one person at once make one user', async () => {
  const who = person();
  const flows = [await begin(who), await begin(who)];
  const answers = await Promise.all(flows.map(({ code, state }) => login({ code, state })));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200],
  );
  assert.equal(answers[0]!.body.userId, answers[1]!.body.userId);
});

test('logout revokes the tokens at the provider', async () => {
  const who = person();
  const { code, state } = await begin(who);
  const { body: auth } = await login({ code, state });
  const [row] = await h.pool`select idp_tokens from sessions where user_id = ${auth.userId}`;
  assert.match(row!.idpTokens, /^v1\./, 'sealed');
  const body = { provider: 'OAUTH_IDP', token: auth.accessToken, originUrl: ORIGIN };
  const stranger = await h.call('POST', '/v1/users/logout', { body: { ...body, originUrl: 'https://evil.example' } });
  assert.deepEqual(codes(stranger.body), ['INVALID_ORIGIN_URI']);
  assert.equal((await h.call('POST', '/v1/users/logout', { body })).status, 200);
  await h.drain('revoke-idp-tokens');
  assert.ok(idp.revoked.includes(who.sub));
});

test('addresses that only look allowed are refused', async () => {
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
  for (const address of hostile) {
    const origin = await loginUrl({ originUrl: address, redirectUrl: REDIRECT });
    assert.deepEqual([origin.status, codes(origin.body)], [422, ['INVALID_ORIGIN_URI']], address);
    const redirect = await loginUrl({ redirectUrl: address });
    assert.deepEqual([redirect.status, codes(redirect.body)], [422, ['INVALID_REDIRECT_URI']], address);
    assert.equal((await login({ code: 'x', originUrl: address })).status, 422);
  }
  assert.equal((await loginUrl({ redirectUrl: `${REDIRECT}?next=1` })).status, 422);
  assert.equal((await loginUrl({ provider: 'EMAIL' })).status, 400);
  assert.equal((await login({})).status, 400);
});

test('with the provider away a login is 503', async () => {
  const { code, state } = await begin(person());
  idp.stop();
  const answer = await login({ code, state });
  assert.equal(answer.status, 503);
});
