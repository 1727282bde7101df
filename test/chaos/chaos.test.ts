/**
 * Clients place and manage orders while processes, PostgreSQL, disk, clocks, network, email server, payment provider and
 * webhook receiver fail at random. Run with `npm run test:chaos`. `CHAOS_MINUTES` and `CHAOS_SEED` choose how long and
 * which faults.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually } from '../service.ts';
import { check } from './check.ts';
import { clientsOf, openShop } from './clients.ts';
import { causeFaults } from './faults.ts';
import { startHistory } from './history.ts';
import { randomFrom } from './random.ts';
import { openTeam, teamOf } from './team.ts';
import { startWorld, type World } from './world.ts';

const MINUTES = Number(process.env.CHAOS_MINUTES ?? 5);
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Longer than every lease, retry and time to live in this run. */
const RECOVERY_MS = 600_000;

test(`nothing is lost, duplicated or out of balance after ${MINUTES} minutes of faults`, {
  timeout: (MINUTES + 30) * 60_000,
}, async (t) => {
  const started = performance.now();
  const log = (line: string) => console.log(`${((performance.now() - started) / 1000).toFixed(1)} s: ${line}`);
  log(`seed ${SEED}`);
  const world = await startWorld();
  log('started');
  const shop = await openShop(world);
  const team = await openTeam(world, shop);
  log('shop opened');
  const history = startHistory();
  let end = performance.now() + MINUTES * 60_000;
  const isOver = () => performance.now() > end;

  let faults = 0;
  const running = Promise.all([
    causeFaults(world, randomFrom(SEED), isOver, (line) => {
      faults++;
      log(`${line} (${world.disk.freeMib()} MiB free)`);
    }),
    ...clientsOf(world, shop, history, randomFrom(SEED + 1), isOver),
    ...teamOf(world, shop, team, history, randomFrom(SEED + 2), isOver),
  ]);
  await running.catch((error) => {
    end = 0;
    throw error;
  });

  log('the faults end');
  await eventually('all work done', () => isIdle(world, shop.businessId), RECOVERY_MS);
  const { violations, summary } = await check(world, shop, team, history);
  log(JSON.stringify({ seed: SEED, minutes: MINUTES, faults, ...summary }));
  log(JSON.stringify(Object.fromEntries([...history.counts].sort())));
  t.diagnostic(`seed ${SEED}: ${faults} faults, ${summary.orders} orders, ${violations.length} violations`);
  assert.deepEqual(violations, []);
});

/** Whether no payment, refund, event, delivery, email or send is pending. */
async function isIdle({ pool }: World, businessId: string): Promise<boolean> {
  const [row] = await pool<[{ pending: number }]>`
    select (select count(*) from payments where business_id = ${businessId} and status = 'OPEN')
      + (select count(*) from refunds where business_id = ${businessId} and status = 'PENDING')
      + (select count(*) from event_outbox where business_id = ${businessId})
      + (select count(*) from webhook_deliveries where business_id = ${businessId} and status = 'PENDING')
      + (select count(*) from order_tasks where business_id = ${businessId})
      + (select count(*) from sends where business_id = ${businessId} and open) as pending`;
  return row.pending === 0;
}
