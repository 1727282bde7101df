import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { openShop } from './shop.ts';

const h = await shareHarness();

test('the audit log names records and shows only an import’s own events, not one per record', async () => {
  const shop = await openShop(h);
  const rows = Array.from({ length: 30 }, (_, i) =>
    JSON.stringify({ name: `Customer ${i}`, email: `c${i}@example.com` }),
  );
  const done = await shop.run('type=customers', rows.join('\n'), 'application/x-ndjson');
  assert.equal(done.created, 30);
  const { body: customer } = await shop.call('POST', '/customers', { name: 'Ada Lovelace' });
  await h.numberEvents(shop.businessId);
  const { items } = await shop.get('/audit?limit=100');
  const customers = items.filter(({ type }) => type === 'customer.created');
  assert.deepEqual(
    customers.map(({ entity, entityName }) => [entity, entityName]),
    [[`customer:${customer.id}`, 'Ada Lovelace']],
  );
  assert.deepEqual(
    items.filter(({ type }) => type.startsWith('import.')).map(({ type, entityName }) => `${type} ${entityName}`),
    ['import.completed file', 'import.created file'],
  );
  const { items: all } = await shop.get('/customers?limit=100&query=Customer%201');
  const { items: own } = await shop.get(`/audit?entity=customer:${all[0]!.id}`);
  assert.equal(own.length, 1, 'the log of one record includes its import');
});
