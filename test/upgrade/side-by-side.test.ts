/** The previous version and this one on one database, as during an upgrade: `npm run test:upgrade`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { caller, type Json } from '../call.ts';
import { startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await startHarness();
const previous = await startPrevious();
const shop = await openShop(h);

async function startPrevious() {
  const folder = process.env.SOUK_PREVIOUS;
  if (!folder) throw new Error('Run it with npm run test:upgrade.');
  const { createService } = await import(join(folder, 'src/app.ts'));
  const { testConfig } = await import(join(folder, 'test/config.ts'));
  const dataDir = mkdtempSync(join(tmpdir(), 'souk-previous-data-'));
  const { target, clock } = h;
  const log = pino({ level: 'error' });
  const service = await createService({ config: testConfig({}, dataDir), target, log, works: false, clock });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { call: caller(await service.listen()) };
}

test('this version finishes the work that an order placed by the previous version still needs', async () => {
  const mug = await shop.product();
  await shop.checkout(mug, { paymentMethod: 'CASH', call: previous.call });
  assert.deepEqual(
    ((await h.mailbox()) as Json[]).map(({ to, subject }) => [to, subject]),
    [[shop.customer.email, 'Order #1 confirmed']],
  );
});
