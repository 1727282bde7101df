import pino from 'pino';
import { createService } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Contexts } from '../../src/context/create.ts';
import type { EventSource, Steps } from '../../src/context/index.ts';
import type { BusinessServices } from '../../src/domains/businesses/index.ts';
import { eventId } from '../../src/domains/events/event.ts';
import { placeOrder, prepareOrder } from '../../src/domains/orders/placing/checkout.ts';
import type { Command } from '../../src/domains/pricing/context.ts';
import { changePromo, createPromo } from '../../src/domains/pricing/promos/codes.ts';
import { type Caller, NO_FACTORS } from '../../src/shared/security/caller.ts';
import { type Bench, type Line, type Measured, medianOf, plainLine, type Row, ratioLine } from '../types.ts';
import { bearer } from './accounts.ts';
import { seedProducts } from './catalog.ts';
import { checkoutInput } from './orders.ts';

const WRITERS = 16;
const SILENT = { emit: { value: async () => {} } };

/**
 * A short command that locks and writes one row, so the event has the highest relative cost. Includes event numbering.
 */
export const commandWithEvent: Row = {
  name: 'events',
  run: (bench) =>
    withAndWithout(bench, 'A short command with its event; bare: without', async (system) => {
      const ctx = system.within(bench.shop.businessId, callerOf(bench));
      let count = 0;
      const discounts = () => [{ type: 'ITEMS_FIXED', amount: ++count }];
      const create = (i: number) => ctx.transaction((tx) => createPromo(tx, { code: `E${i}`, discounts: discounts() }));
      const ids = await Promise.all(Array.from({ length: WRITERS }, async (_, i) => (await create(i)).id));
      return (writer, emits) =>
        ctx.transaction((tx) =>
          changePromo(emits ? tx : (Object.defineProperties(tx, SILENT) as Command), {
            id: ids[writer]!,
            changes: { discounts: discounts() },
          }),
        );
    }),
};

/** The steps of a checkout, as a request runs them. */
export const checkoutWithEvent: Row = {
  name: 'checkout-event',
  run: (bench) =>
    withAndWithout(bench, 'A checkout with its event; bare: without', async (_system, runner) => {
      const products = await seedProducts(bench);
      let count = 0;
      return async (_writer, emits) => {
        const ctx = runner({ caller: callerOf(bench), businessId: bench.shop.businessId, address: '' });
        const emitting = new Set<unknown>();
        const noted = <S>(statement: S): S => {
          emitting.add(statement);
          return statement;
        };
        const source: EventSource = {
          eventsFrom: (tx, rows) => noted(ctx.eventsFrom(tx, rows)),
          eventWith: (tx, event) => noted(ctx.eventWith(tx, event)),
          eventCause: (tx) => ctx.eventCause(tx),
        };
        const input = checkoutInput(bench, products[count++ % products.length]!, 'small');
        const { queue, statements } = placeOrder({ ...(await prepareOrder(ctx, input)), source });
        await ctx.pipeline(queue, (tx) => statements(tx).filter((each) => emits || !emitting.has(each)));
      };
    }),
};

const FEED_EVENTS = 1_000_000;
const FEED_PAGES = 500;

/** One reader that reads the feed from any position. */
export const feedPage: Row = {
  name: 'feed',
  async run({ call, pool, shop, url, memoryMb }) {
    const { id } = await call<{ id: string }>('POST', '/v1/businesses', { body: { name: 'Has a long feed' } });
    const data = JSON.stringify({ status: 'PAID', note: 'x'.repeat(200) });
    // Creating the business emits the first events.
    await pool`
      insert into events (business_id, position, type, entity, sequence, actor, address, data, bytes, created_at)
      select ${id}, 100 + n, 'order.updated', 'order:' || (n / 4), n % 4 + 1, '{"type":"SYSTEM"}', '', ${data}, ${data.length}, n / 10
      from generate_series(1, ${FEED_EVENTS}::int) n`;
    await pool`analyze events`;
    const took: number[] = [];
    for (let i = 0; i < FEED_PAGES; i++) {
      const after = eventId(id, 100 + Math.floor(Math.random() * (FEED_EVENTS - 100)));
      const startedAt = performance.now();
      const response = await fetch(`${url}/v1/businesses/${id}/events?after=${after}&limit=100`, {
        headers: bearer(shop.adminToken),
      });
      const { items } = (await response.json()) as { items: object[] };
      took.push(performance.now() - startedAt);
      if (items.length !== 100) throw new Error(`A page of the feed has ${items.length} events.`);
    }
    took.sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)]!;
    return [
      plainLine({
        operation: 'A page of 100 out of 1,000,000 events',
        ours: `${at(0.5).toFixed(1)} ms`,
        p50: `${at(0.5).toFixed(1)} ms`,
        p99: `${at(0.99).toFixed(1)} ms`,
        memory: `${await memoryMb()} MB`,
        goal: 'p50 < 10 ms',
        met: at(0.5) < 10,
      }),
    ];
  },
};

type Write = (writer: number, emits: boolean) => Promise<unknown>;

async function withAndWithout(
  bench: Bench,
  operation: string,
  prepare: (system: Steps<BusinessServices>, runner: Contexts['runner']) => Promise<Write>,
): Promise<Line[]> {
  const service = await createService({
    config: loadConfig(bench.env),
    target: JSON.parse(bench.env.SOUK_BENCH_TARGET!),
    log: pino({ level: 'warn' }),
    works: false,
  });
  const { system, runner } = service.contexts;
  const write = await prepare(system(), runner);
  const round = (emits: boolean) => measure(bench, (writer) => write(writer, emits));
  await round(true);
  await round(false);
  const rounds: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
  for (let i = 0; i < bench.rounds; i++) {
    rounds.ours.push(await round(true));
    rounds.bare.push(await round(false));
  }
  await service.stop();
  const memoryMb = Math.round(process.memoryUsage().rss / 1_048_576);
  return [ratioLine(operation, 0.95, { ours: medianOf(rounds.ours), bare: medianOf(rounds.bare), memoryMb })];
}

const callerOf = ({ shop }: Bench): Caller => ({
  userId: shop.adminId,
  provider: 'EMAIL',
  email: null,
  name: '',
  isGuest: false,
  isConfirmed: true,
  sessionId: null,
  keyId: null,
  factors: NO_FACTORS,
  permissions: new Map([[shop.businessId, new Set(['ADMIN' as const])]]),
});

async function measure(bench: Bench, write: (writer: number) => Promise<unknown>): Promise<Measured> {
  const until = performance.now() + bench.seconds * 1000;
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await write(writer);
        took.push(performance.now() - startedAt);
      }
    }),
  );
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1]!;
  return { perSecond: took.length / bench.seconds, p50: at(0.5), p975: at(0.975), p99: at(0.99), errors: 0 };
}
