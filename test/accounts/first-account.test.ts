import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { type AccountServices, firstAccountLink } from '../../src/domains/accounts/index.ts';
import { shareHarness } from '../harness.ts';
import { GOOD_PASSWORD, invited, mailedToken, newEmail } from './people.ts';

const h = await shareHarness({ REGISTRATION: 'invited' });

const link = () => firstAccountLink(h.service.contexts.system() as Steps<AccountServices>);
const submit = (fields: Record<string, string>) =>
  fetch(`${h.url}/setup`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ businessName: 'Cups & more', email: 'owner@example.com', ...fields }),
  });
const register = (body: object) =>
  h.call('POST', '/v1/users/register', { body: { password: GOOD_PASSWORD, email: newEmail(), ...body } });

test('the setup link creates the first account and business once, within an hour', async () => {
  await h.guest();
  const stale = new URL((await link())!).searchParams.get('token')!;
  h.clock.advance(3601);
  assert.equal((await submit({ token: stale, password: GOOD_PASSWORD })).status, 422);
  const url = (await link())!;
  assert.ok(url.startsWith(`${h.url}/setup?token=`));
  const token = new URL(url).searchParams.get('token')!;
  assert.match((await h.call('GET', `/setup?token=${token}`)).body, /<form method="post" action="\/setup">/);

  const weak = await submit({ token, password: 'password1', email: 'nobody', businessName: ' ' });
  assert.equal(weak.status, 422);
  assert.equal((await weak.text()).match(/role="alert"/g)?.length, 3);
  for (const bad of ['', 'x.y', `${token}x`]) {
    assert.equal((await submit({ token: bad, password: GOOD_PASSWORD })).status, 422);
  }
  assert.equal((await h.pool`select id from businesses`).length, 0);

  const responses = await Promise.all(
    ['owner@example.com', 'second@example.com'].map((email) => submit({ token, email, password: GOOD_PASSWORD })),
  );
  assert.deepEqual(
    responses.map(({ status }) => status).sort(),
    [200, 422],
    'only one of two concurrent uses succeeds',
  );
  const [{ email }] = (await h.pool`select email from users where is_confirmed`) as unknown as [{ email: string }];
  const { body: auth } = await h.call('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password: GOOD_PASSWORD },
  });
  const { body: businesses } = await h.call('GET', '/v1/businesses', { token: auth.accessToken });
  assert.deepEqual(
    businesses.items.map((business) => business.name),
    ['Cups & more'],
  );
  const { body: me } = await h.call('GET', '/v1/users/me', { token: auth.accessToken });
  assert.deepEqual(me.roles[0]!.permissions, ['ADMIN']);
  assert.equal((await submit({ token, password: GOOD_PASSWORD })).status, 422, 'already used');
  assert.equal(await link(), null);
});

test('with REGISTRATION=invited, only an invited email can register, and guests can still log in', async () => {
  const email = newEmail();
  const invitationToken = await invited(h, email);
  assert.equal((await register({})).status, 403);
  assert.equal((await register({ invitationToken: 'bad', email })).status, 403);
  assert.equal((await register({ invitationToken })).status, 403, 'someone else’s invitation');
  assert.equal((await register({ invitationToken, email: email.toUpperCase() })).status, 200);
  assert.ok(await mailedToken(h, email.toUpperCase()));
  const guest = await h.call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
  assert.equal(guest.status, 200);
});
