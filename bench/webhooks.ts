/**
 * `node bench/webhooks.ts [fan-out] [dead]`: events on their way to webhooks.
 * - fan-out: 1,000 events a second for 10 webhooks, for 10 s: how far numbering and fan-out are behind, and how far delivering is.
 * - dead: how late the events of one webhook are, before and while another has 100,000 open deliveries that nobody takes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createService } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { cpuOf, cpuOfPostgres } from './cpu-time.ts';
import { ask, startProcess } from './processes.ts';
import { createShop } from './shop.ts';

const folder = await mkdtemp(join(tmpdir(), 'souk-webhooks-'));
const { stop, ...target } = await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) });
await migrate(target);
const env = {
  ...process.env,
  SOUK_BENCH_TARGET: JSON.stringify(target),
  SOUK_BENCH_WORKS: '1',
  ...{ PORT: '0', DATA_DIR: folder, DATABASE_URL: 'postgres://given', DEMO: '0', NODE_ENV: 'production' },
  ...{ SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789', OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOK_TIMEOUT: '5' },
};
const pool = createPool(target);
const souk = await startProcess('souk.ts', env);
const receiver = await startProcess('receiver.ts', env);
const { businessId, adminToken } = await createShop(env);
const writing = await createService({
  ...{ config: loadConfig(env), target, log: pino({ level: 'warn' }), works: false },
});
const writer = writing.contexts.system().within(businessId);
const chosen = process.argv.slice(2);

async function createWebhook(url: string): Promise<string> {
  const answer = await fetch(`${souk.url}/v1/businesses/${businessId}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['order.*'] }),
  });
  return ((await answer.json()) as { id: string }).id;
}

const deleteWebhook = (id: string) =>
  fetch(`${souk.url}/v1/businesses/${businessId}/webhooks/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${adminToken}` },
  });

let orders = 0;
const PADDING = 'x'.repeat(1000);

/** Events as commands write them, of an order each, in a process of its own that also numbers them. */
async function writeEvents(count: number): Promise<void> {
  const data = { at: Date.now(), padding: PADDING };
  const told = Array.from({ length: count }, () => ({
    type: 'order.created' as const,
    entity: `order:${orders++}` as const,
    data,
  }));
  await writer.transaction((tx) => tx.emit(...told));
}

async function writeFor(
  seconds: number,
  perSecond: number,
  during: () => Promise<void> = async () => {},
): Promise<void> {
  const begun = performance.now();
  let written = 0;
  while (written < seconds * perSecond) {
    const due = Math.min(Math.floor(((performance.now() - begun) / 1000) * perSecond), seconds * perSecond) - written;
    if (due > 0) await writeEvents(due);
    written += due;
    await during();
    await delay(20);
  }
}

async function count(table: string, where = 'true'): Promise<number> {
  const [row] = await pool.text<{ count: number }[]>(`select count(*)::int as count from ${table} where ${where}`);
  return row!.count;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

function figures(delays: number[] = []): string {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return `${sorted.length} came, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms after they were written`;
}

const cpu = () => ({ writer: cpuOf(process.pid), sender: cpuOf(souk.child.pid!), postgres: cpuOfPostgres(folder) });

async function fanOut(): Promise<void> {
  const [seconds, perSecond, webhooks, longestSeconds] = [10, 1000, 10, 90];
  const ids = [];
  for (let i = 0; i < webhooks; i++) ids.push(await createWebhook(`${receiver.url}/${i}`));
  const total = seconds * perSecond;
  const before = cpu();
  const begun = performance.now();
  let behind = 0;
  let lookedAt = 0;
  await writeFor(seconds, perSecond, async () => {
    if (performance.now() - lookedAt < 500) return;
    lookedAt = performance.now();
    behind = Math.max(behind, await count('event_outbox'));
  });
  const writtenMs = performance.now() - begun;
  while ((await count('event_outbox')) > 0) await delay(50);
  const numberedMs = performance.now() - begun - writtenMs;
  const open = () => count('webhook_deliveries', "status = 'PENDING'");
  while ((await open()) > 0 && performance.now() - begun < longestSeconds * 1000) await delay(500);
  const endedMs = performance.now() - begun;
  const made = total * webhooks - (await open());
  const after = cpu();
  const each = (name: keyof typeof after) => Math.round((after[name] - before[name]) / made);
  say(
    `fan-out: ${total} events in ${Math.round(writtenMs)} ms; at most ${behind} were not numbered yet, the last one ${Math.round(numberedMs)} ms later`,
  );
  say(
    `  ${made} of ${total * webhooks} deliveries after ${Math.round(endedMs)} ms: ${Math.round((made * 1000) / endedMs)} a second`,
  );
  say(
    `  CPU for each: writer and numbering ${each('writer')} µs, sender ${each('sender')} µs, PostgreSQL ${each('postgres')} µs`,
  );
  say(`  ${figures(Object.values(await ask<Record<string, number[]>>(receiver.child, 'report')).flat())}`);
  for (const id of ids) await deleteWebhook(id);
}

async function dead(): Promise<void> {
  const live = await createWebhook(`${receiver.url}/live`);
  const lateness = async () => {
    await writeFor(10, 50);
    while ((await count('webhook_deliveries', `status = 'PENDING' and webhook_id = '${live}'`)) > 0) await delay(50);
    await delay(300);
    return figures((await ask<Record<string, number[]>>(receiver.child, 'report'))['/live']);
  };
  say(`dead: alone, ${await lateness()}`);
  // It takes connections and never answers.
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const id = await createWebhook(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
  await pool`
    insert into webhook_deliveries (business_id, webhook_id, position, type, entity, status, next_attempt_at, created_at)
    select ${businessId}, ${id}, -n, 'order.created', 'order:' || (n % 20000), 'PENDING', 0, 0 from generate_series(1, 100000) n`;
  await pool`update webhook_queues set due_at = 0, wakes = wakes + 1 where business_id = ${businessId} and webhook_id = ${id}`;
  await delay(2000);
  const open = await count('webhook_deliveries', `status = 'PENDING' and webhook_id = '${id}'`);
  say(`  beside ${open} open deliveries to a receiver that never answers, ${await lateness()}`);
  silent.close();
}

if (chosen.length === 0 || chosen.includes('fan-out')) await fanOut();
if (chosen.length === 0 || chosen.includes('dead')) await dead();
for (const { child } of [souk, receiver]) child.disconnect();
await writing.stop();
await pool.end();
await stop();
await rm(folder, { recursive: true, force: true });
process.exit();
