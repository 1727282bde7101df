import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import { seedCatalog, storeImages } from '../../src/demo/catalog.ts';
import type { CatalogServices } from '../../src/domains/catalog/index.ts';
import { type Caller, NO_FACTORS } from '../../src/shared/security/caller.ts';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();

test('the demo sells 24 products, each with an image that is served and a price in both markets', async () => {
  const businessId = await h.business();
  const { userId } = await h.user();
  const admin: Caller = {
    userId,
    provider: 'EMAIL',
    email: null,
    isGuest: false,
    isConfirmed: true,
    name: '',
    sessionId: null,
    keyId: null,
    factors: NO_FACTORS,
    permissions: new Map([[businessId, new Set(['ADMIN' as const])]]),
  };
  const ctx = h.service.contexts.steps({ caller: admin, businessId, address: '' }) as Steps<CatalogServices>;
  const images = await storeImages(ctx);
  await ctx.transaction((tx) => seedCatalog(tx, images));
  const { token } = await h.guest();
  const { items } = (await h.call('GET', `/v1/businesses/${businessId}/products?limit=100`, { token })).body;
  assert.equal(items.length, 24);
  for (const { slug, gallery, variants } of items as Json[]) {
    const image = await h.call('GET', new URL(gallery[0].url).pathname);
    assert.equal(image.status, 200, slug);
    assert.equal(image.headers.get('content-type'), 'image/svg+xml');
    for (const variant of variants) {
      assert.deepEqual(
        variant.pricing.markets.map(({ marketId, currency }: Json) => `${marketId} ${currency}`),
        ['us usd', 'eu eur'],
        slug,
      );
    }
  }
});
