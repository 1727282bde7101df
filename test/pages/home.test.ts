import assert from 'node:assert/strict';
import test from 'node:test';
import { seedDemo } from '../../src/demo/index.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const page = { headers: { accept: 'text/html' } };

test('without a demo shop, the home page links to the admin, the mailbox and the API reference', async () => {
  const { status, body } = await h.call('GET', '/', page);
  assert.equal(status, 200);
  assert.match(body, /Souk is running/);
  for (const path of ['/admin', '/dev/mailbox', '/reference']) assert.ok(body.includes(`href="${path}"`), path);
});

test('in production, / redirects to the admin and there is no shop', async () => {
  const production = await startHarness({ NODE_ENV: 'production' });
  const { status, headers } = await production.call('GET', '/', page);
  assert.deepEqual([status, headers.get('location')], [302, '/admin']);
  assert.equal((await production.call('GET', '/shop/cart', page)).status, 404);
});

test('the demo shop is at /, with a strict policy and immutable assets', async () => {
  await seedDemo(h.service.contexts.system());
  const old = await h.call('GET', '/shop/products/linen-shirt?market=eu', page);
  assert.deepEqual([old.status, old.headers.get('location')], [301, '/s/demo/products/linen-shirt?market=eu']);
  for (const path of ['/', '/s/demo', '/s/demo/products/linen-shirt']) {
    const { body, headers } = await h.call('GET', path, page);
    assert.match(body, /<a href="\/s\/demo" class="brand">/);
    assert.match(body, /<nav class="start-bar"/);
    const scripts =
      /<style|style=|<script(?! type="module" src="\/assets\/)(?![^>]*type="application\/(ld\+)?json")|\son[a-z]+=/;
    assert.doesNotMatch(body, scripts);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|script-src[^;]*(https?:|\*|data:)/);
    assert.ok(
      headers.get('content-security-policy')?.includes(`img-src 'self' ${h.url} `),
      'images load under any host name',
    );
  }
  const { body } = await h.call('GET', '/', page);
  const files = [...body.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path);
  assert.equal(files.length, 2);
  for (const path of files) {
    const response = await fetch(h.url + path, { headers: { 'accept-encoding': 'br' } });
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('content-encoding'), 'br');
    const plain = await fetch(h.url + path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(await response.text(), await plain.text());
  }
});

test('/assets serves only the bundles', async () => {
  for (const file of ['manifest.json', 'storefront-.js', 'storefront-..%2f..%2fpackage.json', 'constructor']) {
    assert.equal((await h.call('GET', `/assets/${file}`)).status, 404, file);
  }
});
