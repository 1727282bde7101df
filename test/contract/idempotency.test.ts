/** Every authenticated POST, including future ones, accepts an Idempotency-Key, except those that store nothing. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { type Operation, readDocument } from './document.ts';
import { createWorld } from './world.ts';

const h = await shareHarness();
const document = await readDocument(h);
/**
 * Previews are up to a megabyte and requested with every pause in typing, so their responses are not stored. Neither are challenges and
 * their proofs, which work once.
 */
const NOT_STORED = [
  'POST /v1/businesses/{businessId}/entries/{id}/site-preview',
  'POST /v1/businesses/{businessId}/products/{id}/site-preview',
  'POST /v1/users/me/passkeys/options',
  'POST /v1/users/me/step-up',
  'POST /v1/users/me/step-up/options',
  'POST /v1/businesses/{businessId}/entries/{entryId}/preview',
  'POST /v1/businesses/{businessId}/mail-templates/{kind}/preview',
  'POST /v1/businesses/{businessId}/storefront/preview',
];
const posts = document.operations.filter(
  ({ name, method, isPublic }) => method === 'POST' && !isPublic && !NOT_STORED.includes(name),
);
const world = await createWorld(h);

const pathOf = ({ path }: Operation) =>
  path.replaceAll(/([^/]+)\/\{\w+\}/g, (_match, segment: string) => `${segment}/${world.inPaths[segment] ?? 'none'}`);

test('every authenticated POST documents the Idempotency-Key header', () => {
  assert.ok(posts.length > 10);
  for (const { name, parameters } of posts) {
    assert.ok(
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key'),
      name,
    );
  }
});

test('every successful authenticated POST returns its first response when retried, and rejects a different request with the same key', async () => {
  const tested: string[] = [];
  for (const operation of posts) {
    const body = world.samples[operation.name]?.[0] ?? {};
    const call = (query = '') =>
      h.call('POST', pathOf(operation) + query, {
        body,
        headers: { ...world.callers.admin, 'idempotency-key': operation.name.replaceAll(' ', '-') },
      });
    const first = await call();
    if (first.status !== 200) continue;
    const [repeat, other] = [await call(), await call('?other=1')];
    assert.deepEqual(repeat.body, first.body, operation.name);
    assert.deepEqual([other.status, other.body.error], [422, 'IDEMPOTENCY_MISMATCH'], operation.name);
    tested.push(operation.name);
  }
  assert.ok(tested.length > posts.length / 2, `only ${tested.join(', ')}`);
});
