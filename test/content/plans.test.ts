import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();

test('a plan without a description or features is returned with empty ones', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'CONTENT_WRITE');
  const path = `/v1/businesses/${businessId}/collections` as const;
  const plan = { id: 'free', name: 'Free' };
  const complete = { ...plan, description: '', features: [] };
  const { body: created } = await h.call('POST', path, {
    token,
    body: { name: 'Letters', type: 'NEWSLETTER', plans: [plan] },
  });
  assert.deepEqual(created.plans, [complete]);
  const changed = await h.call('PUT', `${path}/${created.id}`, { token, body: { plans: [plan] } });
  assert.deepEqual(changed.body.plans, [complete]);
  await h.pool.transaction(
    (tx) => tx`
      update collections set doc = jsonb_set(doc, '{plans}', ${tx.json([plan])}), version = version + 1
      where business_id = ${businessId} and id = ${created.id}`,
  );
  assert.deepEqual((await h.call('GET', `${path}/${created.id}`, { token })).body.plans, [complete], 'stored before');
});
