import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/pool.ts';
import type { BareDb } from '../bare-db.ts';
import type { GuestFigures, GuestOrder } from '../guests.ts';
import { ask, startProcess } from '../processes.ts';
import { STEPS } from '../purchase.ts';
import { type Bench, type Load, type Measured, medianOf, plainLine, type Row } from '../types.ts';
import { seedProducts } from './catalog.ts';
import { seedBareStock } from './orders.ts';

const PURCHASES_PER_SECOND = 300;

/** A new guest logs in, requests a quote, checks out, pays on the sandbox page and reads the order. */
export const purchase: Row = {
  name: 'purchase',
  async run(bench) {
    const productIds = await seedProducts(bench);
    await seedBarePurchases(bench, productIds);
    return withGuests(bench, productIds, async (play) => {
      const purchases = (server: Server) => play(server, { purchases: { seconds: bench.seconds } });
      const steps = async (server: Server) => (await play(server, { steps: { guests: bench.seconds * 250 } })).steps!;
      const { ours, bare } = await inTurn(bench, async (server) => (await purchases(server)).purchases!);
      const own = { ours: await steps('souk'), bare: await steps('bare') };
      const memory = `${await bench.memoryMb()} MB`;
      return [
        plainLine({
          ...figures(ours, bare),
          operation: 'End-to-end purchase by a new guest, 32 concurrent',
          memory,
          goal: `≥ ${PURCHASES_PER_SECOND}/s`,
          met: ours.perSecond >= PURCHASES_PER_SECOND && ours.errors === 0 && bare.errors === 0,
        }),
        ...STEPS.map((step) =>
          plainLine({
            ...figures(own.ours[step], own.bare[step]),
            operation: `Purchase: ${step}`,
            goal: 'no errors',
            met: own.ours[step].errors === 0,
          }),
        ),
      ];
    });
  },
};

/** A request with a token that is not cached yet, so the service must load the guest. */
export const firstRequest: Row = {
  name: 'first-request',
  async run(bench) {
    const productIds = await seedProducts(bench);
    await seedBarePurchases(bench, productIds);
    return withGuests(bench, productIds, async (play) => {
      const guests = bench.seconds * 500;
      const { ours, bare } = await inTurn(
        bench,
        async (server) => (await play(server, { firstReads: { guests } })).firstReads!,
      );
      return [
        plainLine({
          ...figures(ours, bare),
          operation: 'First request of a new guest, GET one product',
          memory: `${await bench.memoryMb()} MB`,
          goal: 'no errors',
          met: ours.errors === 0 && bare.errors === 0,
        }),
      ];
    });
  },
};

type Server = Load['server'];
type Play = (server: Server, what: GuestOrder['play']) => Promise<GuestFigures>;

async function withGuests<T>(bench: Bench, productIds: string[], work: (play: Play) => Promise<T>): Promise<T> {
  const { child } = await startProcess('guests.ts', bench.env, { silentStart: true });
  const { businessId } = bench.shop;
  try {
    return await work((server, play) =>
      ask<GuestFigures>(child, { url: bench.urls[server], server, businessId, productIds, play } satisfies GuestOrder),
    );
  } finally {
    if (child.connected) child.disconnect();
  }
}

/** One warm-up each, then ours and bare alternately. */
async function inTurn({ rounds }: Bench, measure: (server: Server) => Promise<Measured>) {
  const measured: Record<Server, Measured[]> = { souk: [], bare: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const server of ['souk', 'bare'] as const) {
      const result = await measure(server);
      if (round > 0) measured[server].push(result);
    }
  }
  return { ours: medianOf(measured.souk), bare: medianOf(measured.bare) };
}

const figures = (ours: Measured, bare: Measured) => ({
  ours: `${Math.round(ours.perSecond)}/s`,
  bare: `${Math.round(bare.perSecond)}/s`,
  ratio: `${Math.round((100 * ours.perSecond) / bare.perSecond)} %`,
  p50: `${ours.p50.toFixed(1)} ms`,
  p99: `${ours.p99.toFixed(1)} ms`,
});

async function seedBarePurchases(bench: Bench, productIds: string[]): Promise<void> {
  await seedBareStock(bench, productIds);
  await bench.pool`create table if not exists bare_guests (id text primary key, created_at timestamptz default now())`;
}

/** One statement per step. The two statements of a checkout are combined. */
export function barePurchases(app: FastifyInstance, _pool: Pool, db: BareDb): void {
  app.post('/purchase/guests', async () => {
    const id = randomUUID();
    await db('insert into bare_guests (id) values ($1)', [id]);
    return { id };
  });
  app.get('/purchase/products/:businessId/:id', async (request, reply) => {
    const { businessId, id } = request.params as Record<string, string>;
    const [row] = await db('select doc::text as doc from products where business_id = $1 and id = $2', [
      businessId,
      id,
    ]);
    return reply.type('application/json').send(row!.doc);
  });
  app.post('/purchase/orders/:businessId', async (request) => {
    const { businessId } = request.params as Record<string, string>;
    const { productId, variantId, quantity } = request.body as Record<string, string>;
    const id = randomUUID();
    await db(
      `with taken as (
        update bare_stock set quantity = quantity - $1
        where business_id = $2 and product_id = $3 and variant_id = $4 and quantity >= $1 returning 1)
      insert into bare_orders select $2, $5, $6::jsonb from taken`,
      [quantity, businessId, productId, variantId, id, JSON.stringify(request.body)],
    );
    return { orderId: id };
  });
  app.post('/purchase/pay/:businessId/:id', async (request) => {
    const { businessId, id } = request.params as Record<string, string>;
    await db(`update bare_orders set doc = doc || '{"paid": true}' where business_id = $1 and id = $2`, [
      businessId,
      id,
    ]);
    return { paid: true };
  });
  app.get('/purchase/orders/:businessId/:id', async (request) => {
    const { businessId, id } = request.params as Record<string, string>;
    const [row] = await db('select doc from bare_orders where business_id = $1 and id = $2', [businessId, id]);
    return row!.doc;
  });
}
