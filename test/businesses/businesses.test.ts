import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { type BusinessServices, providerSecrets } from '../../src/domains/businesses/index.ts';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();

const market = { id: 'us', name: 'USA', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 800 };
const stripe = {
  type: 'STRIPE',
  publicKey: 'pk_1',
  secretKey: 'sk_test_secret_4242',
  webhookSecret: 'whsec_long_abcd',
};

async function create(body: object = { name: 'Café Élan' }) {
  const owner = await h.user();
  const response = await h.call('POST', '/v1/businesses', { token: owner.token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return { owner, business: response.body, path: `/v1/businesses/${response.body.id}` as const };
}

const secretsOf = (businessId: string) => {
  const ctx = h.service.contexts.system() as Steps<BusinessServices>;
  return providerSecrets(ctx, businessId);
};

test('the creator is ADMIN immediately, and the business has three default roles', async () => {
  const { owner, business, path } = await create({ name: 'Café Élan', configs: { markets: [market] } });
  assert.match(business.id, /^biz_/);
  assert.equal(business.slug, 'cafe-elan');
  assert.equal((await h.call('PUT', path, { token: owner.token, body: { name: 'New' } })).body.name, 'New');
  const roles = await h.call('GET', `/v1/roles?businessId=${business.id}`, { token: owner.token });
  assert.deepEqual(roles.body.items.map((role) => role.name).sort(), ['ADMIN', 'EDITOR', 'SUPPORT']);
  const mine = await h.call('GET', '/v1/businesses', { token: owner.token });
  assert.deepEqual(
    mine.body.items.map((item) => item.id),
    [business.id],
  );
});

test('guests cannot create a business, and one Idempotency-Key creates one business', async () => {
  const guest = await h.guest();
  assert.equal((await h.call('POST', '/v1/businesses', { token: guest.token, body: { name: 'x' } })).status, 403);
  const owner = await h.user();
  const send = () =>
    h.call('POST', '/v1/businesses', {
      token: owner.token,
      body: { name: 'Once' },
      headers: { 'idempotency-key': 'k1' },
    });
  assert.equal((await send()).body.id, (await send()).body.id);
});

test('a taken slug fails with 422, and a slug generated from the name gets a number', async () => {
  const first = await create({ name: 'Twins' });
  const again = await create({ name: 'Twins' });
  assert.equal(again.business.slug, 'twins-2');
  const taken = await h.call('POST', '/v1/businesses', {
    token: first.owner.token,
    body: { name: 'x', slug: 'twins' },
  });
  assert.equal(taken.status, 422);
  assert.deepEqual([taken.body.details[0]!.field, taken.body.details[0]!.error], ['slug', 'DUPLICATE']);
});

test('provider secrets are encrypted at rest, masked for members, hidden from others and kept when sent back', async () => {
  const { owner, business, path } = await create({ name: 'Secretive', configs: { paymentProvider: stripe } });
  assert.equal(business.configs.paymentProvider!.secretKey, '****4242');
  const [row] = await h.pool`select configs::text as text from businesses where id = ${business.id}`;
  assert.doesNotMatch(row!.text, /secret_4242|whsec_long/);

  const seen = await h.call('GET', path, { token: (await h.guest()).token });
  assert.deepEqual(seen.body.configs.paymentProvider, { type: 'STRIPE', publicKey: 'pk_1' });

  const { configs } = (await h.call('GET', path, { token: owner.token })).body;
  configs.paymentProvider!.publicKey = 'pk_2';
  assert.equal((await h.call('PUT', path, { token: owner.token, body: { configs } })).status, 200);
  assert.deepEqual(await secretsOf(business.id), { ...stripe, publicKey: 'pk_2' });

  // Switching the provider deletes its secrets.
  const sandbox = { configs: { paymentProvider: { type: 'SANDBOX' } } };
  await h.call('PUT', path, { token: owner.token, body: sandbox });
  const none = { publicKey: null, secretKey: null, webhookSecret: null };
  assert.deepEqual(await secretsOf(business.id), { type: 'SANDBOX', ...none });
  const masked = { configs: { paymentProvider: { type: 'STRIPE', secretKey: '****4242' } } };
  assert.equal((await h.call('PUT', path, { token: owner.token, body: masked })).status, 422);
});

test('an encrypted secret cannot be decrypted for another business', async () => {
  const a = await create({ name: 'A', configs: { paymentProvider: stripe } });
  const b = await create({ name: 'B' });
  await h.pool`update businesses b set configs = a.configs from businesses a
    where a.id = ${a.business.id} and b.id = ${b.business.id}`;
  await assert.rejects(secretsOf(b.business.id));
});

test('all invalid settings are reported at once', async () => {
  const owner = await h.user();
  const configs = {
    markets: [market, { ...market, id: 'US' }],
    shippingMethods: [
      {
        id: 'std',
        prices: [
          { market: 'us', amount: 1 },
          { market: 'US', amount: 2 },
        ],
      },
      { id: 'std', prices: [] },
    ],
    paymentProvider: { type: 'STRIPE' },
  };
  const response = await h.call('POST', '/v1/businesses', { token: owner.token, body: { name: 'x', configs } });
  assert.equal(response.status, 422);
  assert.deepEqual(
    response.body.details.map((detail) => `${detail.field} ${detail.error}`),
    [
      'configs.markets[1].id DUPLICATE',
      'configs.shippingMethods[1].id DUPLICATE',
      'configs.shippingMethods[0].prices[1].market DUPLICATE',
      'configs.paymentProvider.secretKey REQUIRED',
    ],
  );
});

test('an update keeps omitted sections, and an outdated If-Match fails with 412', async () => {
  const { owner, path } = await create({ name: 'Kept', configs: { markets: [market], email: { fromName: 'Kept' } } });
  const { headers } = await h.call('GET', path, { token: owner.token });
  const etag = headers.get('etag')!;
  const body = { configs: { email: { fromName: 'Other' } } };
  const changed = await h.call('PUT', path, { token: owner.token, body, headers: { 'if-match': etag } });
  assert.deepEqual(changed.body.configs, { markets: [market], email: { fromName: 'Other' } });
  for (const method of ['PUT', 'DELETE']) {
    const late = await h.call(method, path, { token: owner.token, body: {}, headers: { 'if-match': etag } });
    assert.equal(late.status, 412);
  }
});

test('any token can page through markets and get one by its code, regardless of case', async () => {
  const ids = ['us', 'eu', 'uk'];
  const markets = ids.map((id) => ({ ...market, id }));
  const { owner, path, business } = await create({ name: 'Markets', configs: { markets } });
  const { token } = await h.guest();
  const base = `/v1/payments/businesses/${business.id}/markets` as const;
  const list = async (query: string) => (await h.call('GET', `${base}?${query}`, { token })).body;
  assert.deepEqual(await list(''), { items: markets, cursor: null });
  assert.deepEqual((await h.call('GET', `${base}/US`, { token })).body, markets[0]);
  assert.equal((await h.call('GET', `${base}/ch`, { token })).status, 404);

  const first = await list('limit=1');
  assert.deepEqual(first.items, [markets[0]]);
  // The next page continues after the last market, even if it has moved.
  const [us, eu, uk] = markets;
  await h.call('PUT', path, {
    token: owner.token,
    body: { configs: { markets: [{ ...market, id: 'ca' }, us, eu, uk] } },
  });
  assert.deepEqual(await list(`limit=2&cursor=${first.cursor}`), { items: [eu, uk], cursor: null });
  await h.call('PUT', path, { token: owner.token, body: { configs: { markets: [eu, uk] } } });
  assert.deepEqual((await list(`limit=2&cursor=${first.cursor}`)).items, [eu, uk], 'the last market was deleted');
  const other = await create({ name: 'Other', configs: { markets } });
  const elsewhere = `/v1/payments/businesses/${other.business.id}/markets?cursor=${first.cursor}` as const;
  assert.equal((await h.call('GET', elsewhere, { token })).status, 400);
});

test('the profile is validated and stored, and only members see its tax ID', async () => {
  const profile = {
    legalName: 'Élan SARL',
    address: { street: 'Rue 1', city: 'Lyon', country: 'FR' },
    taxId: 'FR123',
    timeZone: 'Europe/Paris',
  };
  const { owner, path } = await create({ name: 'Profiled', configs: { profile } });
  assert.deepEqual((await h.call('GET', path, { token: owner.token })).body.configs.profile, profile);
  const seen = (await h.call('GET', path, { token: (await h.guest()).token })).body.configs.profile;
  const { taxId: _, ...open } = profile;
  assert.deepEqual(seen, open);
  for (const timeZone of ['Europe/Nowhere', '+01:00', '']) {
    const body = { configs: { profile: { timeZone } } };
    const response = await h.call('PUT', path, { token: owner.token, body });
    assert.deepEqual([response.status, response.body.details[0]?.field], [422, 'configs.profile.timeZone'], timeZone);
  }
});

test('names must be a single line, and a sender name must not contain an email address', async () => {
  const { owner, path } = await create({ name: 'Named' });
  const put = (body: object) => h.call('PUT', path, { token: owner.token, body }).then(({ status }) => status);
  for (const name of ['a\r\nBcc: x@example.com', 'a\nb', 'a\rb']) assert.equal(await put({ name }), 422);
  for (const fromName of ['PayPal <service@paypal.com>', 'service@paypal.com', 'a>b', 'a\nb']) {
    assert.equal(await put({ configs: { email: { fromName } } }), 422, fromName);
  }
  assert.equal(await put({ name: 'Tom @ <Home>', configs: { email: { fromName: 'Tom’s “Home”, Inc.' } } }), 200);
});

test('listed businesses have ETags and come in pages of about 2 MiB', async () => {
  const owner = await h.user();
  const orderBlocks = [{ id: 'a', type: 'TEXT', label: 'x'.repeat(700_000) }];
  for (let i = 0; i < 4; i++) {
    const body = { name: `Large ${i}` };
    const created = await h.call('POST', '/v1/businesses', { token: owner.token, body });
    await h.pool`update businesses set configs = ${h.pool.json({ orderBlocks })} where id = ${created.body.id}`;
  }
  const list = async (query: string) => (await h.call('GET', `/v1/businesses?${query}`, { token: owner.token })).body;
  const first = await list('limit=100');
  assert.deepEqual(
    first.items.map(({ name, etag }) => [name, etag]),
    [
      ['Large 3', '"1"'],
      ['Large 2', '"1"'],
    ],
  );
  const rest = await list(`limit=100&cursor=${first.cursor}`);
  assert.deepEqual([rest.items.length, rest.cursor], [2, null]);
});
