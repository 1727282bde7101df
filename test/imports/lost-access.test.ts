import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';

const h = await shareHarness();

/** More than the buffers of both sockets hold. */
const NAME_LENGTH = 4000;
const SUBSCRIBERS = 8000;

for (const [permission, path] of [
  ['SUBSCRIBER_WRITE', 'exports?type=subscribers'],
  ['ADMIN', 'export'],
] as const) {
  test(`a caller who loses ${permission} while a download waits for the client doesn't get more data from GET …/${path}`, async () => {
    const newsletter = await makeNewsletter(h);
    const { businessId, base } = newsletter;
    await newsletter.crowd(SUBSCRIBERS);
    await h.pool`update subscriptions set name = repeat('n', ${NAME_LENGTH}::int) where business_id = ${businessId}`;
    const admin = await h.member(businessId, 'ADMIN');
    const clerk = await h.member(businessId, permission);
    const headers = { authorization: `Bearer ${clerk.token}` };
    const [response] = (await once(request(`${h.url}${base}/${path}`, { headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    assert.equal(response.statusCode, 200);
    const [first] = (await once(response, 'readable').then(() => [response.read()])) as [Buffer];
    const body = { userId: clerk.userId, roleId: null, businessId };
    await ok(h.call('PUT', '/v1/users/set-role', { token: admin.token, body }));
    let bytes = first.length;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await assert.rejects(once(response, 'end'), { code: 'ECONNRESET' });
    assert.ok(bytes < SUBSCRIBERS * NAME_LENGTH, `${bytes} bytes arrived`);
  });
}
