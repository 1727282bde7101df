/** Citus moves a business to another node while customers order: `npm run test:citus`. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { distribute } from '../../src/db/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startHarness } from '../harness.ts';
import { assertConsistent, openShop } from '../orders/shop.ts';
import { createCluster, startServers } from './servers.ts';

const BUYERS = 4;
const UNITS = 100_000;
/** Orders before, between and after the moves. */
const ORDERS = 20;

const { CITUS_BIN } = process.env;

suite('moving a business', { skip: CITUS_BIN ? false : 'needs CITUS_BIN' }, async () => {
  // Citus copies the rows with logical replication and blocks writes only at the end.
  const servers = await startServers(CITUS_BIN!, { wal_level: 'logical', fsync: 'off', max_replication_slots: '50' });
  const target = await createCluster(servers, 'souk_moved');
  await migrate(target);
  await distribute(target);
  const h = await startHarness({ LIMIT_CHECKOUT: '1000000/1000000' }, { target });
  after(() => servers.stop());
  const shop = await openShop(h);
  const product = await shop.product({ quantity: UNITS });

  /** Moves all rows of the business to the other worker. */
  async function move(): Promise<void> {
    const [shard] = await h.pool<[{ id: number; host: string }]>`
      select p.shardid as id, n.nodename as host from pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('orders', ${shop.businessId}::text)`;
    const other = servers.nodes.slice(1).find(({ target: node }) => node.host !== shard.host)!.target;
    await h.pool.text(
      `select citus_move_shard_placement(${shard.id}, '${shard.host}', 5432, '${other.host}', 5432, 'force_logical')`,
    );
  }

  test('two moves under load neither lose nor duplicate orders', { timeout: 300_000 }, async (t) => {
    const placed = new Map<string, string>();
    const refusals: number[] = [];
    let [isOver, next, longestMs] = [false, 0, 0];

    /** Repeats a checkout with its key until it succeeds, as a client does. */
    async function buy(): Promise<void> {
      const key = `order-${next++}`;
      const startedAt = performance.now();
      for (;;) {
        const { status, body } = await shop.checkout(product, { key });
        if (status === 200) {
          placed.set(key, body.orderId);
          break;
        }
        refusals.push(status);
      }
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    const repeat = async () => {
      while (!isOver) await buy();
    };
    const buyers = Array.from({ length: BUYERS }, repeat);
    const untilOrders = async (count: number) => {
      const goal = placed.size + count;
      while (placed.size < goal) await Promise.race([h.pool`select 1`, ...buyers]);
    };
    await untilOrders(ORDERS);
    // The service finds the new node within a minute. Until then, the previous node forwards its statements.
    await move();
    await untilOrders(ORDERS);
    await move();
    await untilOrders(ORDERS);
    isOver = true;
    await Promise.all(buyers);

    t.diagnostic(`${placed.size} orders, ${refusals.length} refusals, longest checkout ${Math.round(longestMs)} ms`);
    assert.deepEqual(
      [...new Set(refusals)].filter((status) => status !== 503),
      [],
    );
    const orders = await shop.orders();
    assert.deepEqual(orders.map(({ id }) => id).sort(), [...placed.values()].sort());
    assert.deepEqual(
      orders.map(({ number }) => number),
      orders.map((_, i) => i + 1),
    );
    await assertConsistent(shop, product, UNITS);
    await h.numberEvents(shop.businessId);
    const positions = await h.pool<{ position: number; type: string }[]>`
      select position, type from events where business_id = ${shop.businessId} order by position`;
    assert.deepEqual(
      positions.map(({ position }) => position),
      positions.map((_, i) => i + 1),
    );
    assert.equal(positions.filter(({ type }) => type === 'order.created').length, orders.length);
  });
});
