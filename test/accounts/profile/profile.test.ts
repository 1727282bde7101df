import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { whenWaitingForLock } from '../../locks.ts';

const h = await shareHarness();
const second = await h.secondNode();

const newKey = () => randomBytes(18).toString('base64url');
const update = (token: string, body: object, headers = {}) =>
  h.call('PUT', '/v1/users/update', { token, body, headers });
const setKeys = (token: string, ...apiTokens: object[]) => update(token, { apiTokens });
const statusWith = (headers: Record<string, string>, call = h.call) =>
  call('GET', '/v1/users/me', { headers }).then((response) => response.status);
const codes = (body: { details: { field: string; error: string }[] }) =>
  body.details.map((detail) => `${detail.field} ${detail.error}`);

const FULL_ADDRESS = {
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  street: '1 rue de la République',
  street2: 'Bâtiment B',
  city: 'Lyon',
  state: '',
  zip: '69001',
  country: 'FR',
  phone: '+33123456789',
  vatId: 'FR40303265045',
};

test('an update changes only the submitted fields and ignores read-only ones', async () => {
  const { userId, token, email } = await h.user();
  const address = { street: 'Main Street 1', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' };
  const body = { phoneNumbers: ['+49 151 1234-5678', '+4915112345678'], addresses: [address] };
  const { body: user } = await update(token, { ...body, id: 'usr_x', isConfirmed: false, roleIds: ['role_x'] });
  assert.deepEqual([user.id, user.name, user.email, user.isConfirmed, user.roleIds], [userId, 'Ada', email, true, []]);
  assert.deepEqual([user.phoneNumbers, user.addresses], [['+4915112345678'], [address]]);
  const renamed = await h.call('PUT', '/v1/users', { token, body: { name: 'Grace' } });
  assert.deepEqual([renamed.body.name, renamed.body.addresses], ['Grace', [address]]);
  const wrong = await update(token, { phoneNumbers: ['+4915112345678', '1'], name: 'A\nB' });
  assert.equal(wrong.status, 422);
});

test('an address with missing parts is returned with all five parts', async () => {
  const { token } = await h.user();
  const { body: user } = await update(token, { addresses: [{ city: 'London' }] });
  assert.deepEqual(user.addresses, [{ street: '', city: 'London', state: '', zip: '', country: '' }]);
  assert.deepEqual((await h.call('GET', '/v1/users/me', { token })).body.addresses, user.addresses);
});

test('an address with all its details can be saved, read and sent back', async () => {
  const { token } = await h.user();
  const { body: user } = await update(token, { addresses: [FULL_ADDRESS, { city: 'London' }] });
  assert.deepEqual(user.addresses[0], FULL_ADDRESS);
  const { body: again } = await update(token, { addresses: user.addresses });
  assert.deepEqual(again.addresses, user.addresses);
  const { body: exported } = await h.call('GET', '/v1/users/me/export', { token });
  assert.match(JSON.stringify(exported), /FR40303265045/);
});

test('of many concurrent updates with the same If-Match, one succeeds and the others fail with 412', async () => {
  const { token } = await h.user();
  const { headers } = await h.call('GET', '/v1/users/me', { token });
  const match = { 'if-match': headers.get('etag')! };
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
  const responses = await Promise.all(names.map((name) => update(token, { name }, match)));
  const done = responses.filter((response) => response.status === 200);
  assert.equal(done.length, 1);
  assert.ok(responses.every((response) => [200, 412].includes(response.status)));
  assert.equal((await h.call('GET', '/v1/users/me', { token })).body.name, done[0]!.body.name);
});

test('a session that ends while its request waits for the lock creates no API key', async () => {
  const { userId, token } = await h.user();
  const { sent } = await h.pool.transaction(async (tx) => {
    await tx`select from users where id = ${userId} for update`;
    const sent = setKeys(token, { name: 'Back door' });
    await whenWaitingForLock(h.pool, sent);
    await tx`delete from sessions where user_id = ${userId}`;
    return { sent };
  });
  assert.equal((await sent).status, 401);
  assert.deepEqual(await h.pool`select id from api_keys where user_id = ${userId}`, []);
});

test('an API key acts as its owner, is masked, kept when sent back masked and revoked when omitted', async () => {
  const { userId, token } = await h.user();
  const value = newKey();
  const { body: user } = await setKeys(token, { id: 'ci', name: 'CI', value, provider: 'API' });
  const masked = { id: 'ci', name: 'CI', value: `****${value.slice(-4)}`, provider: 'API' };
  assert.deepEqual(user.apiTokens, [masked]);
  const stored = await h.pool`select to_jsonb(k)::text as text from api_keys k where user_id = ${userId}`;
  assert.ok(!stored[0]!.text.includes(value));
  assert.equal(await statusWith({ 'x-api-key': value }), 200);
  assert.equal(await statusWith({ authorization: `Bearer ${value}` }, second.call), 200);

  await setKeys(token, { ...masked, name: 'Build' });
  assert.equal(await statusWith({ 'x-api-key': value }), 200);
  const [kept] = (await h.call('GET', '/v1/users/me', { token })).body.apiTokens;
  assert.equal(kept!.name, 'Build');
  assert.ok(kept!.lastUsedAt! > 0);

  await setKeys(token);
  assert.equal(await statusWith({ 'x-api-key': value }), 401);
  while ((await statusWith({ 'x-api-key': value }, second.call)) !== 401);
});

test('a new value for an ID replaces the old key, and the new key stops working when it expires', async () => {
  const { token } = await h.user();
  const [old, fresh] = [newKey(), newKey()];
  await setKeys(token, { id: 'a', value: old });
  await setKeys(token, { id: 'a', value: fresh, expiresAt: h.clock.seconds() + 100 });
  assert.equal(await statusWith({ 'x-api-key': old }), 401);
  assert.equal(await statusWith({ 'x-api-key': fresh }), 200);
  h.clock.advance(101);
  assert.equal(await statusWith({ 'x-api-key': fresh }), 401);
  const { body } = await h.call('GET', '/v1/users/me', { token });
  assert.equal((await setKeys(token, ...body.apiTokens)).status, 200, 'an expired key may be sent back');
});

test('invalid keys and unknown masked values are listed in the errors, and nothing changes', async () => {
  const { token } = await h.user();
  const response = await setKeys(
    token,
    { id: 'a', value: 'short' },
    { id: 'b', value: '****abcd' },
    { id: 'c', value: 'aaaaaaaaaaaa' },
    { id: 'd', value: 'with a space in it' },
    { id: 'e', value: 'eyJhbGciOiJub25lIn0.e30.x' },
    { id: 'd', value: newKey(), expiresAt: 5 },
  );
  assert.deepEqual(codes(response.body), [
    'apiTokens[0].value TOO_SHORT',
    'apiTokens[1].value INVALID_VALUE',
    'apiTokens[2].value INVALID_VALUE',
    'apiTokens[3].value INVALID_FORMAT',
    'apiTokens[4].value INVALID_FORMAT',
    'apiTokens[5].id DUPLICATE',
    'apiTokens[5].expiresAt OUT_OF_RANGE',
  ]);
  const own = newKey();
  const twice = await setKeys(token, { id: 'a', value: own }, { id: 'b', value: own });
  assert.deepEqual(codes(twice.body), ['apiTokens[1].value DUPLICATE']);
  assert.deepEqual((await h.call('GET', '/v1/users/me', { token })).body.apiTokens, []);
  assert.equal((await setKeys((await h.guest()).token, { id: 'a', value: newKey() })).status, 403);
});

test('a key without a value is generated and shown once', async () => {
  const { userId, token } = await h.user();
  const { body } = await setKeys(token, { id: 'ci', name: 'CI' });
  const { value } = body.apiTokens[0]!;
  assert.match(value, /^souk_[\w-]{32}$/);
  assert.equal((await h.call('GET', '/v1/users/me', { headers: { 'x-api-key': value } })).body.id, userId);
  const { body: later } = await h.call('GET', '/v1/users/me', { token });
  assert.equal(later.apiTokens[0]!.value, `****${value.slice(-4)}`);
  const kept = await setKeys(token, { id: 'ci' });
  assert.equal(kept.body.apiTokens[0]!.value, `****${value.slice(-4)}`, 'a known key without a value is kept');
  assert.equal(await statusWith({ 'x-api-key': value }), 200);
});

test('a chosen key value that another user already has gets the usual response, and the key then works for neither', async () => {
  const [owner, stranger] = [await h.user(), await h.user()];
  const [taken, free] = [newKey(), newKey()];
  await setKeys(owner.token, { id: 'x', value: taken });
  const responses = [];
  for (const value of [taken, free]) {
    const { status, body } = await setKeys(stranger.token, { id: 'k', value });
    responses.push([status, Object.keys(body), Object.keys(body.apiTokens[0]!)]);
  }
  assert.deepEqual(responses[0], responses[1]);
  await setKeys(stranger.token, { id: 'k', value: taken });
  assert.equal(await statusWith({ 'x-api-key': taken }), 401, 'a value chosen by two users grants no access');
  await setKeys(stranger.token);
  assert.equal(await statusWith({ 'x-api-key': taken }), 200);
});

test('an API key cannot create or extend keys, but can send back the profile unchanged', async () => {
  const { token } = await h.user();
  const value = newKey();
  await setKeys(token, { id: 'a', value, expiresAt: h.clock.seconds() + 1000 });
  const byKey = (body: object) => h.call('PUT', '/v1/users/update', { headers: { 'x-api-key': value }, body });
  const { body: me } = await h.call('GET', '/v1/users/me', { token });
  const [key] = me.apiTokens;
  assert.equal((await byKey({ apiTokens: [key, { id: 'b' }] })).status, 403);
  assert.equal((await byKey({ apiTokens: [key, { id: 'b', value: newKey() }] })).status, 403);
  assert.equal((await byKey({ apiTokens: [{ ...key, expiresAt: null }] })).status, 403);
  assert.equal((await byKey({ apiTokens: [{ ...key, value: newKey() }] })).status, 403);
  assert.equal((await byKey(me)).status, 200);
  assert.equal((await h.call('GET', '/v1/users/me', { token })).body.apiTokens.length, 1);
});

test('guessed API keys and self-chosen key values count toward the limit of the IP address', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const guess = (address: string, value = newKey()) => statusWith({ 'x-api-key': value, ...from(address) });
  const statuses = [];
  for (let i = 0; i < 305; i++) statuses.push(await guess('192.0.2.1'));
  assert.deepEqual([statuses[299], statuses[300], statuses[304]], [401, 429, 429]);
  const { token, userId } = await h.user();
  const value = newKey();
  await setKeys(token, { id: 'a', value });
  while (h.service.broadcast.isPending(`user:${userId}`)) await new Promise(setImmediate);
  assert.equal(await guess('192.0.2.1', value), 429, 'keys are no longer looked up');
  assert.equal(await guess('192.0.2.2', value), 200);
  assert.equal(await guess('192.0.2.1', value), 200, 'a key that was valid before is accepted');
  h.clock.advance(61);
  assert.equal(await guess('192.0.2.1', value), 200, 'even when it has to be looked up again');
  const choose = () =>
    update(
      token,
      { apiTokens: Array.from({ length: 50 }, (_, i) => ({ id: `k${i}`, value: newKey() })) },
      from('192.0.2.3'),
    );
  for (let i = 0; i < 6; i++) assert.equal((await choose()).status, 200);
  assert.equal((await choose()).status, 429);
});

test('business settings of up to 16 KB and the onboarding status are stored', async () => {
  const { token } = await h.user();
  const configs = [{ businessId: 'biz_a', settings: { theme: 'dark', panes: [1, { wide: true }] } }];
  const { body } = await update(token, { businessUserConfigs: configs, lifecycle: { onboardingCompleted: true } });
  assert.deepEqual([body.businessUserConfigs, body.lifecycle.onboardingCompleted], [configs, true]);
  const { body: again } = await update(token, { ...body, name: 'Grace' });
  assert.deepEqual([again.businessUserConfigs, again.lifecycle], [configs, body.lifecycle]);
  const wrong = await update(token, {
    businessUserConfigs: [
      { businessId: 'biz_a', settings: { text: 'x'.repeat(17_000) } },
      { businessId: 'biz_a', settings: {} },
    ],
  });
  assert.deepEqual(codes(wrong.body), [
    'businessUserConfigs[0].settings TOO_LONG',
    'businessUserConfigs[1].businessId DUPLICATE',
  ]);
  assert.equal((await update((await h.guest()).token, { businessUserConfigs: configs })).status, 403);
});
