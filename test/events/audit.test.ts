import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();

test('the audit log shows paths and names of members, but not the names of people who have not acted at the business', async () => {
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  const stranger = await h.user();
  const { body: role } = await h.call('POST', '/v1/roles', {
    token: admin.token,
    body: { businessId, name: 'Packer', permissions: ['ORDER_READ'] },
  });
  for (const { userId } of [stranger, admin]) {
    const body = { businessId, userId, roleId: role.id };
    assert.equal((await h.call('PUT', '/v1/users/set-role', { token: admin.token, body })).status, 200);
  }
  await h.call('POST', `/v1/businesses/${businessId}/redirects`, {
    token: admin.token,
    body: { from: '/old', to: '/new' },
  });
  await h.numberEvents(businessId);
  const { body } = await h.call('GET', `/v1/businesses/${businessId}/audit`, { token: admin.token });
  const named = (entity: string) => body.items.filter((each) => each.entity === entity).map((each) => each.entityName);
  assert.deepEqual(named(`member:${stranger.userId}`), [null]);
  assert.deepEqual(named(`member:${admin.userId}`), ['Ada']);
  assert.ok(body.items.some(({ entityName }) => entityName === '/old'));
});
