/** The order of rows that several nodes write: `npm run test:citus`. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Tx } from '../../src/db/sql.ts';
import { startHarness } from '../harness.ts';

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

suite('order on a cluster', { skip: process.env.CITUS_BIN ? false : 'needs CITUS_BIN' }, async () => {
  const h = await startHarness();
  const businessId = await h.business();
  const ctx = h.service.contexts.system().within(businessId);

  /** Writes the rows one by one, every other one through the coordinator. Rows of different nodes have no order within a millisecond. */
  async function alternate(write: (tx: Tx, i: number) => Promise<unknown>): Promise<void> {
    for (const i of ROWS) {
      const nowMs = Date.now();
      while (Date.now() === nowMs) await turn();
      if (i % 2) await h.pool.transaction((tx) => write(tx, i));
      else await ctx.transaction(({ db }) => write(db, i));
    }
  }

  test('events are numbered in the order in which they were written, by any node', async () => {
    await alternate(
      (tx, i) => tx`insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
        values (${businessId}, 'order.updated', ${`order:${i}`}, '{}', '', '{}', 1)`,
    );
    const [{ nodes }] = await h.pool<[{ nodes: number }]>`
      select count(distinct inserted & 63)::int as nodes from event_outbox where business_id = ${businessId}`;
    assert.equal(nodes, 2);
    await h.numberEvents(businessId);
    const events = await h.pool<{ entity: string }[]>`
      select entity from events where business_id = ${businessId} order by position`;
    assert.deepEqual(
      events.map(({ entity }) => entity),
      ROWS.map((i) => `order:${i}`),
    );
  });

  test('concurrent connections never get the same position', async () => {
    const values = await Promise.all(
      Array.from(
        { length: 8 },
        () => h.pool<{ value: string }[]>`select cluster_order()::text as value from generate_series(1, 5000)`,
      ),
    );
    const all = values.flat().map(({ value }) => value);
    assert.equal(new Set(all).size, all.length);
  });

  test('prices that change within a second are listed in the order of the changes, made by any node', async () => {
    await h.pool`insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
      values (${businessId}, 'p', 'p', 'ACTIVE', '', '', 0, '{}')`;
    await alternate(
      (tx, i) => tx`insert into price_history (business_id, product_id, variant_id, market, currency, since, amount)
        values (${businessId}, 'p', 'v', 'us', 'usd', 1, ${i}::bigint)`,
    );
    const prices = await h.pool<{ amount: number }[]>`
      select amount from price_history where business_id = ${businessId} order by since, id`;
    assert.deepEqual(
      prices.map(({ amount }) => amount),
      ROWS,
    );
  });
});
