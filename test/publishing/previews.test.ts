import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { createSite, ok, titled, titleOf } from './site.ts';

const h = await startHarness({ ALLOWED_ORIGINS: 'https://shop.example' });
const site = await createSite(h);
const { byAda, byReader } = site;
const open = (url: string, headers: Record<string, string> = {}) => h.call('GET', new URL(url).pathname, { headers });

test('a preview link shows the draft without a token for an hour and is never cached', async (t) => {
  const now = h.clock.stop(t);
  const entry = await site.entry('Public');
  await ok(byAda('PUT', `entries/${entry.id}?draft=true`, { blocks: titled('Draft') }));
  const { url, expiresAt } = await ok(byAda('POST', `entries/${entry.id}/preview-link`));
  assert.equal(expiresAt, now + 3600);
  const shown = await open(url, { origin: 'https://shop.example' });
  assert.equal(titleOf(shown.body), 'Draft');
  assert.deepEqual(
    ['cache-control', 'access-control-allow-origin'].map((name) => shown.headers.get(name)),
    ['no-store', 'https://shop.example'],
  );
  assert.doesNotMatch(JSON.stringify(shown.body), /hasDraft|userId/);
  const product = await site.product('Mug');
  await ok(byAda('PUT', `products/${product.id}?draft=true`, { name: 'Cup' }));
  const link = await ok(byAda('POST', `products/${product.id}/preview-link`));
  assert.equal((await open(link.url)).body.name, 'Cup');
  h.clock.advance(3600);
  assert.equal((await open(url)).status, 404);
});

test('previews reject forged tokens, tokens of other types and deleted records, and only staff can create them', async () => {
  const entry = await site.entry('Draft', 'DRAFT');
  const path = `entries/${entry.id}` as const;
  assert.equal((await byReader('POST', `${path}/preview-link`)).status, 404);
  const { url } = await ok(byAda('POST', `${path}/preview-link`));
  assert.equal((await open(url)).status, 200);
  const [payload, signature] = url.slice(url.lastIndexOf('/') + 1).split('.') as [string, string];
  const other = Buffer.from(payload, 'base64url').toString().replace(entry.id, 'ent_other');
  const forged = [
    `${Buffer.from(other).toString('base64url')}.${signature}`,
    payload,
    `${payload}.`,
    `${payload}.${signature}.more`,
    site.ada.token,
    '%00',
  ];
  for (const token of forged) {
    const { status } = await h.call('GET', `/v1/previews/${token}`);
    assert.ok([400, 404, 422].includes(status), `${token}: ${status}`);
  }
  const stolen = await h.call('GET', `${site.base}/entries`, { token: `${payload}.${signature}` });
  assert.equal(stolen.status, 401);
  await ok(byAda('DELETE', path));
  assert.equal((await open(url)).status, 404);
  const gone = await createSite(h);
  const { id } = await gone.entry('Gone', 'DRAFT');
  const { url: last } = await ok(gone.byAda('POST', `entries/${id}/preview-link`));
  const { token } = await h.member(gone.businessId, 'ADMIN');
  assert.equal((await h.call('DELETE', gone.base, { token })).status, 200);
  assert.equal((await open(last)).status, 404, 'the business is deleted');
});
