/** Webhook deliveries. This process writes events the way commands do, and numbers them. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { ask, startProcess } from '../processes.ts';
import { type Bench, plainLine, type Row } from '../types.ts';
import { startWorking } from '../working.ts';

const PADDING = 'x'.repeat(1000);
const OUTBOUND = { OUTBOUND_ALLOW: '127.0.0.0/8', WEBHOOK_TIMEOUT: '5' };

/** A business with its own sender and a receiver that accepts everything. */
async function startDelivering(bench: Bench) {
  const { pool } = bench;
  const { id: businessId } = await bench.call<{ id: string }>('POST', '/v1/businesses', { body: { name: 'Webhooks' } });
  const sender = await startWorking(bench, OUTBOUND);
  const receiver = await startProcess('receiver.ts', bench.env);
  const writing = await createService({
    config: loadConfig(bench.env),
    target: JSON.parse(bench.env.SOUK_BENCH_TARGET!),
    log: pino({ level: 'warn' }),
    works: false,
  });
  const writer = writing.contexts.system().within(businessId);
  let orders = 0;
  const count = async (what: string) =>
    (
      await pool.text<{ count: number }[]>(
        `select count(*)::int as count from ${what} and business_id = '${businessId}'`,
      )
    )[0]!.count;
  return {
    businessId,
    receiverUrl: receiver.url,
    waiting: () => count('event_outbox where true'),
    open: (webhookId?: string) =>
      count(`webhook_deliveries where status = 'PENDING' ${webhookId ? `and webhook_id = '${webhookId}'` : ''}`),
    async createWebhook(url: string): Promise<string> {
      const path = `/v1/businesses/${businessId}/webhooks`;
      return (await bench.call<{ id: string }>('POST', path, { url: sender.url, body: { url, events: ['order.*'] } }))
        .id;
    },
    /** Writes events, each for a different order. */
    async write(events: number): Promise<void> {
      const data = { at: Date.now(), padding: PADDING };
      const batch = Array.from({ length: events }, () => ({
        type: 'order.created' as const,
        entity: `order:${orders++}` as const,
        data,
      }));
      await writer.transaction(async (tx) => tx.emit(...batch));
    },
    /** The delays in milliseconds of events received since the last call, by path. */
    delays: () => ask<Record<string, number[]>>(receiver.child, 'report'),
    memoryMb: sender.memoryMb,
    async stop(): Promise<void> {
      await writing.stop();
      sender.stop();
      receiver.child.disconnect();
    },
  };
}

type Delivering = Awaited<ReturnType<typeof startDelivering>>;

async function writeFor({ write }: Delivering, seconds: number, perSecond: number, meanwhile = async () => {}) {
  const startedAt = performance.now();
  for (let written = 0; written < seconds * perSecond; ) {
    const passed = Math.min((performance.now() - startedAt) / 1000, seconds);
    const due = Math.floor(passed * perSecond) - written;
    if (due > 0) await write(due);
    written += due;
    await meanwhile();
    await pause(20);
  }
}

const WEBHOOKS = 10;
const PER_SECOND = 1000;

/** A steady stream, then a burst, which shows the speed of numbering and fan-out during deliveries. */
export const fanOutRow: Row = {
  name: 'fan-out',
  async run(bench) {
    const delivering = await startDelivering(bench);
    const [seconds, afterMs] = bench.large ? [10, 80_000] : [4, 4000];
    try {
      for (let i = 0; i < WEBHOOKS; i++) await delivering.createWebhook(`${delivering.receiverUrl}/${i}`);
      let maxWaiting = 0;
      const startedAt = performance.now();
      let lookedAt = startedAt;
      await writeFor(delivering, seconds, PER_SECOND, async () => {
        if (performance.now() - lookedAt < 250) return;
        lookedAt = performance.now();
        maxWaiting = Math.max(maxWaiting, await delivering.waiting());
      });
      const writtenAt = performance.now();
      while ((await delivering.waiting()) > 0) await pause(20);
      const behindMs = performance.now() - writtenAt;
      const perSecond = (seconds * PER_SECOND * 1000) / (writtenAt - startedAt);
      while ((await delivering.open()) > 0 && performance.now() - writtenAt < afterMs) await pause(200);
      const calls = seconds * PER_SECOND * WEBHOOKS - (await delivering.open());
      const callsPerSecond = (calls * 1000) / (performance.now() - startedAt);
      const delays = Object.values(await delivering.delays()).flat();
      const burst = await measureBurst(delivering, seconds * PER_SECOND);
      const memory = `${await delivering.memoryMb()} MB`;
      return [
        plainLine({
          operation: `1,000 events/s for ${WEBHOOKS} webhooks: numbered and fanned out`,
          ours: `${Math.round(perSecond)}/s, at most ${maxWaiting} waiting`,
          goal: 'last event < 1 s late',
          p99: `${Math.round(behindMs)} ms`,
          memory,
          met: behindMs < 1000 && perSecond >= 0.95 * PER_SECOND,
        }),
        plainLine({
          operation: 'Burst of events: numbered and fanned out',
          ours: `${Math.round(burst)}/s`,
          goal: '≥ 1,000/s',
          met: burst >= PER_SECOND,
        }),
        plainLine({
          operation: 'Webhook deliveries for these events',
          ours: `${Math.round(callsPerSecond)}/s`,
          p50: `${Math.round(shareOf(delays, 0.5))} ms`,
          p99: `${Math.round(shareOf(delays, 0.99))} ms`,
          memory,
          goal: '≥ 10,000/s',
          met: callsPerSecond >= PER_SECOND * WEBHOOKS,
        }),
      ];
    } finally {
      await delivering.stop();
    }
  },
};

/** Events numbered and fanned out per second when all are available at once. */
async function measureBurst({ write, waiting }: Delivering, events: number): Promise<number> {
  const startedAt = performance.now();
  for (let written = 0; written < events; written += 500) await write(500);
  while ((await waiting()) > 0) await pause(20);
  return (events * 1000) / (performance.now() - startedAt);
}

/**
 * The delay of one webhook's events, without and with many pending deliveries to another webhook whose receiver accepts
 * connections and never responds.
 */
export const deadWebhookRow: Row = {
  name: 'dead-webhook',
  async run(bench) {
    const { pool, large } = bench;
    const dead = large ? 100_000 : 10_000;
    const delivering = await startDelivering(bench);
    const { businessId } = delivering;
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const live = await delivering.createWebhook(`${delivering.receiverUrl}/live`);
      const lateness = async () => {
        await writeFor(delivering, large ? 10 : 3, 50);
        while ((await delivering.open(live)) > 0) await pause(50);
        const delays = (await delivering.delays())['/live'] ?? [];
        return { p50: shareOf(delays, 0.5), p99: shareOf(delays, 0.99) };
      };
      await lateness();
      const alone = await lateness();
      const id = await delivering.createWebhook(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      await pool`
        insert into webhook_deliveries (business_id, webhook_id, position, type, entity, status, next_attempt_at, created_at)
        select ${businessId}, ${id}, -n, 'order.created', 'order:' || (n % 20000), 'PENDING', 0, 0
        from generate_series(1, ${dead}::int) n`;
      await pool`
        update webhook_queues set due_at = 0, wakes = wakes + 1 where business_id = ${businessId} and webhook_id = ${id}`;
      await pause(2000);
      const beside = await lateness();
      const times = beside.p50 / alone.p50;
      return [
        plainLine({
          operation: `Webhook delay with ${(await delivering.open(id)).toLocaleString('en')} pending deliveries to a dead endpoint (bare: none pending)`,
          ours: `${Math.round(beside.p50)} ms late`,
          bare: `${Math.round(alone.p50)} ms`,
          ratio: `${times.toFixed(2)} ×`,
          p50: `${Math.round(beside.p50)} ms`,
          p99: `${Math.round(beside.p99)} ms`,
          memory: `${await delivering.memoryMb()} MB`,
          goal: '≤ 1.25 ×',
          met: times <= 1.25,
        }),
      ];
    } finally {
      await delivering.stop();
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  },
};

function shareOf(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
