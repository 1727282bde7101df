import assert from 'node:assert/strict';
import { request } from 'node:http';
import test, { type TestContext } from 'node:test';
import { shareHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { fixture, openShop } from './shop.ts';

const h = await shareHarness();
/** A process accepts this many files at a time from all businesses together. */
const MAX_UPLOADS = 32;
const COUNT = MAX_UPLOADS + 8;

/** Starts imports whose files never end. */
async function openImports(t: TestContext, senders: { base: string; token: string }[]): Promise<void> {
  let refused = 0;
  const requests = Array.from({ length: COUNT }, (_, i) => {
    const { base, token } = senders[i % senders.length]!;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': 10_000_000 };
    const sending = request(`${h.url}${base}/imports?type=products&market=us`, { method: 'POST', headers });
    sending.on('error', () => {});
    sending.once('response', ({ statusCode }) => {
      assert.equal(statusCode, 503);
      refused++;
    });
    sending.write('Handle,');
    return sending;
  });
  t.after(() => {
    for (const each of requests) each.destroy();
  });
  await eventually('the others are refused', async () => refused >= COUNT - MAX_UPLOADS);
}

async function assertAccepted(): Promise<void> {
  const other = await openShop(h);
  assert.equal((await other.post('type=products&market=us', fixture('shopify-products-new.csv'))).status, 200);
}

test('half-open imports of one business do not block imports of another', async (t) => {
  const { businessId, base } = await openShop(h);
  const members = await Promise.all(Array.from({ length: 20 }, () => h.member(businessId, 'ADMIN')));
  await openImports(
    t,
    members.map(({ token }) => ({ base, token })),
  );
  await assertAccepted();
});

test('half-open imports of one account in many businesses do not block imports of others', async (t) => {
  const { token } = await h.user();
  const senders = [];
  for (let i = 0; i < 20; i++) {
    const { status, body } = await h.call('POST', '/v1/businesses', { token, body: { name: 'Shop' } });
    assert.equal(status, 200, JSON.stringify(body));
    senders.push({ base: `/v1/businesses/${body.id}`, token });
  }
  await openImports(t, senders);
  await assertAccepted();
});
