import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';

const h = await startHarness();

test('an unknown route answers the documented error body with a request id', async () => {
  const answer = await h.call('GET', '/v1/nothing/here');
  assert.equal(answer.status, 404);
  assert.equal(answer.body.error, 'NOT_FOUND');
  assert.deepEqual(answer.body.details, []);
  assert.match(answer.headers.get('x-request-id') ?? '', /^req-/);
});
test('health', async () => {
  assert.equal((await h.call('GET', '/healthz')).status, 200);
  assert.equal((await h.call('GET', '/readyz')).status, 200);
  assert.match((await h.call('GET', '/metrics')).body, /http_request_duration_seconds/);
  assert.equal((await h.call('GET', '/openapi.json')).body.openapi, '3.1.0');
});
