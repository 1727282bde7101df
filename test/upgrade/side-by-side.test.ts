/** The former version and this one on one database, as during an upgrade: `npm run test:upgrade`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { caller, type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await startHarness();
const former = await startFormer();
const shop = await openShop(h);

async function startFormer() {
  const folder = process.env.SOUK_FORMER;
  if (!folder) throw new Error('Run it with npm run test:upgrade.');
  const { createService } = await import(join(folder, 'src/app.ts'));
  const { testConfig } = await import(join(folder, 'test/config.ts'));
  const dataDir = mkdtempSync(join(tmpdir(), 'souk-former-data-'));
  const { target, clock } = h;
  const log = pino({ level: 'error' });
  const service = await createService({ config: testConfig({}, dataDir), target, log, works: false, clock });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { call: caller(await service.listen()) };
}

test('what the former version leaves to be done for an order, this version does once', async () => {
  const mug = await shop.product();
  const { body: placed } = await shop.checkout(mug, { paymentMethod: 'CASH', call: former.call });
  const queues = await h.pool`select name from jobs.job where name in ('order-mail', 'order-expiry') order by name`;
  assert.deepEqual(queues, [{ name: 'order-expiry' }, { name: 'order-mail' }]);

  await h.drain();
  const mails = (await h.mailbox()) as Json[];
  assert.deepEqual(
    mails.map(({ to, subject }) => [to, subject]),
    [[shop.customer.email, 'We have received your order 1']],
  );
  await h.pool`update jobs.job set start_after = now() where name = 'order-expiry'`;
  await h.drain();
  const { body: ended } = await h.call('GET', `${shop.base}/orders/${placed.orderId}`, { token: shop.customer.token });
  assert.equal(ended.statuses.at(-1).status, 'CANCELLED');
});
