import assert from 'node:assert/strict';
import test from 'node:test';
import { findRedirect } from '../../src/domains/redirects/index.ts';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const path = `/v1/businesses/${businessId}/redirects`;
const { token } = await h.member(businessId, 'CATALOG_WRITE');
const create = (from: string, to: string) => h.call('POST', path, { token, body: { from, to } });
const details = ({ body }: { body: Json }) => body.details.map(({ field, error }: Json) => `${field} ${error}`);
const find = async (from: string) =>
  (await findRedirect(h.service.contexts.system().within(businessId), from))?.to ?? null;

test('chains of redirects are flattened, whatever order they are created in', async () => {
  assert.equal((await create('/b', '/c')).status, 200);
  assert.equal((await create('/a/', '/b')).status, 200);
  assert.equal((await create('/c', 'https://example.com/d')).status, 200);
  for (const from of ['/a', '/b', '/c?x=1', '/c/']) assert.equal(await find(from), 'https://example.com/d', from);
  assert.deepEqual(details(await create('/a', '/x')), ['from DUPLICATE']);
});

test('a path matches whether encoded, decoded or prefixed with a language', async () => {
  assert.equal((await create('/products/h%C3%BCte', '/products/mützen')).status, 200);
  assert.equal(await find('/products/hüte'), '/products/mützen');
  assert.equal(await find('/de/products/h%C3%BCte'), '/de/products/mützen');
  assert.equal(await find('/products/other'), null);
});

test('a target with dot segments stays within the storefront', async () => {
  for (const [i, to] of ['/../admin', '/a/../../../admin', '/%2e%2E/admin', '/..//admin'].entries()) {
    assert.equal((await create(`/dots-${i}`, to)).status, 200, to);
    assert.equal(await find(`/dots-${i}`), '/admin', to);
  }
});

test('redirects never form a loop, even if two are created at once', async () => {
  assert.deepEqual(details(await create('/self', '/self/')), ['to INVALID_VALUE']);
  for (let round = 0; round < 5; round++) {
    const [a, b] = [`/loop-a-${round}`, `/loop-b-${round}`];
    const both = await Promise.all([create(a, b), create(b, a)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422]);
  }
});
