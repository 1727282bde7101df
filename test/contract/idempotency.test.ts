/** Every authenticated POST of the document takes an Idempotency-Key, those to come too, except what stores nothing. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { type Operation, readDocument } from './document.ts';
import { createWorld } from './world.ts';

const h = await startHarness();
const document = await readDocument(h);
/** A mail that is only shown, up to a megabyte with each pause in typing: its answers are not stored. */
const ONLY_SHOWN = ['POST /v1/businesses/{businessId}/entries/{entryId}/preview'];
const posts = document.operations.filter(
  ({ name, method, isPublic }) => method === 'POST' && !isPublic && !ONLY_SHOWN.includes(name),
);
const world = await createWorld(h);

const pathOf = ({ path }: Operation) =>
  path.replaceAll(/([^/]+)\/\{\w+\}/g, (_match, segment: string) => `${segment}/${world.inPaths[segment] ?? 'none'}`);

test('every authenticated POST says that it takes a key', () => {
  assert.ok(posts.length > 10);
  for (const { name, parameters } of posts) {
    assert.ok(
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key'),
      name,
    );
  }
});

test('every authenticated POST that succeeds answers a repeat with the first answer, and refuses another call', async () => {
  const taken: string[] = [];
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
    taken.push(operation.name);
  }
  assert.ok(taken.length > posts.length / 2, `only ${taken.join(', ')}`);
});
