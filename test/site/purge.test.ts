import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startHarness } from '../harness.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const received: { body: string; headers: Record<string, string> }[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ body, headers: request.headers as Record<string, string> });
  response.end();
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
after(() => receiver.close());
const { port } = receiver.address() as AddressInfo;
const h = await startHarness({ CDN_PURGE_URL: `http://127.0.0.1:${port}/`, CDN_PURGE_SECRET: secret });

test('a change sends the cache keys of its pages to the CDN in a signed request', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const path = `/v1/businesses/${businessId}/products` as const;
  const { body: product } = await h.call('POST', path, { token, body: { name: 'Cup' } });
  await h.numberEvents(businessId);
  await h.drain();
  const call = received.find(({ body }) => body.includes(product.id));
  assert.deepEqual(JSON.parse(call!.body), { businessId, keys: [`product:${product.id}`, 'products'] });
  new Webhook(secret).verify(call!.body, call!.headers);
});
