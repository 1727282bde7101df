import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient, List } from '../../client/src/index.ts';
import { type Json, startHarness } from '../harness.ts';

const h = await startHarness();

type Method = (...args: string[]) => unknown;

test('every operation of the document has a method that calls it, and there is no other', async () => {
  const { body: document } = await h.call('GET', '/openapi.json');
  const operations = Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const called: string[] = [];
  const { session, businessId, forBusiness, ...groups } = createClient({
    baseUrl: '',
    businessId: '{}',
    apiKey: 'key',
    fetch: async (url, init) => {
      called.push(`${init.method} ${decodeURIComponent(url.split('?')[0]!)}`);
      return Response.json({ items: [], cursor: null });
    },
  });
  for (const group of Object.values(groups)) {
    for (const method of Object.values(group as Record<string, Method>)) {
      const result = method('{}', '{}', '{}', '{}');
      await (result instanceof List ? result.page() : result);
    }
  }
  assert.deepEqual(called.sort(), operations.sort());
});
