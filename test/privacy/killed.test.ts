import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../src/context/index.ts';
import type { PrivacyServices } from '../../src/domains/privacy/index.ts';
import { resumeErasures } from '../../src/domains/privacy/resume-erasures.ts';
import { newEmail } from '../accounts/people.ts';
import { startHarness } from '../harness.ts';
import { listWaiting } from '../locks.ts';
import { ok } from '../newsletters/fixture.ts';
import { eventually } from '../service.ts';
import { startWorker } from '../worker.ts';
import { createPersonalData, openBusiness, register, wordsOf } from './person.ts';

const h = await startHarness({ LIMIT_MESSAGES: '100' });

test('the next run completes an erasure whose process was killed, and counts each record once', async () => {
  const business = await openBusiness(h);
  const ada = await register(h, newEmail());
  const { customerId, orderId } = await createPersonalData(h, business, ada);
  const { token } = business.admin;
  const { id } = await h.pool.transaction(async (tx) => {
    await tx`select from orders where business_id = ${business.businessId} and id = ${orderId} for update`;
    const erasure = await ok(h.call('DELETE', `${business.base}/customers/${customerId}/personal-data`, { token }));
    const worker = startWorker(h);
    await eventually('the erasure waits for the order lock', async () => (await listWaiting(h.pool)).length > 0);
    await worker.kill();
    return erasure;
  });
  const read = () => ok(h.call('GET', `${business.base}/erasures/${id}`, { token }));
  assert.equal((await read()).status, 'RUNNING');
  h.clock.advance(901);
  await resumeErasures(h.service.contexts.system() as Steps<PrivacyServices>);
  const { report, status } = await read();
  assert.deepEqual([status, report.erased.find(({ what }) => what === 'orders')!.count], ['DONE', 2]);
  const rows = await h.pool<
    { text: string }[]
  >`select t::text as text from orders t where business_id = ${business.businessId}`;
  for (const word of wordsOf(ada.email)) assert.ok(!rows.some(({ text }) => text.includes(word)), word);
});
