import pino from 'pino';
import { createService } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Steps } from '../../src/context/index.ts';
import type { BusinessServices } from '../../src/domains/businesses/index.ts';
import type { Command } from '../../src/domains/pricing/context.ts';
import { changePromo, createPromo } from '../../src/domains/pricing/promo-codes.ts';
import type { Caller } from '../../src/shared/caller.ts';
import { type Bench, type Measured, medianOf, type Row, ratioLine } from '../types.ts';

const WRITERS = 16;
const SILENT = { emit: { value: async () => {} } };

/** A short command, which its event weighs on the most: one row is locked and written. The numbering of events is included. */
export const commandWithEvent: Row = {
  name: 'events',
  async run(bench) {
    const service = await createService({
      config: loadConfig(bench.env),
      target: JSON.parse(bench.env.SOUK_BENCH_TARGET!),
      log: pino({ level: 'warn' }),
      works: false,
    });
    const system = service.contexts.system() as Steps<BusinessServices>;
    const ctx = system.within(bench.shop.businessId, callerOf(bench));
    let count = 0;
    const discounts = () => [{ type: 'ITEMS_FIXED', amount: ++count }];
    const create = (i: number) => ctx.transaction((tx) => createPromo(tx, { code: `E${i}`, discounts: discounts() }));
    const ids = await Promise.all(Array.from({ length: WRITERS }, async (_, i) => (await create(i)).id));
    const writes = (as: (tx: Command) => Command) =>
      measure(bench, ids, (id) =>
        ctx.transaction((tx) => changePromo(as(tx), { id, changes: { discounts: discounts() } })),
      );
    const withEvent = () => writes((tx) => tx);
    const without = () => writes((tx) => Object.defineProperties(tx, SILENT));
    await withEvent();
    await without();
    const rounds: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
    for (let round = 0; round < bench.rounds; round++) {
      rounds.ours.push(await withEvent());
      rounds.bare.push(await without());
    }
    await service.stop();
    const memoryMb = Math.round(process.memoryUsage().rss / 1_048_576);
    const result = { ours: medianOf(rounds.ours), bare: medianOf(rounds.bare), memoryMb };
    return [ratioLine('A short command with its event; bare: without', 0.95, result)];
  },
};

const callerOf = ({ shop }: Bench): Caller => ({
  ...{ userId: shop.adminId, provider: 'EMAIL', email: null, isGuest: false, isConfirmed: true },
  ...{ sessionId: null, keyId: null, permissions: new Map([[shop.businessId, new Set(['ADMIN' as const])]]) },
});

async function measure(bench: Bench, ids: string[], write: (id: string) => Promise<unknown>): Promise<Measured> {
  const until = performance.now() + bench.seconds * 1000;
  const took: number[] = [];
  await Promise.all(
    ids.map(async (id) => {
      while (performance.now() < until) {
        const begun = performance.now();
        await write(id);
        took.push(performance.now() - begun);
      }
    }),
  );
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1]!;
  return { perSecond: took.length / bench.seconds, p50: at(0.5), p975: at(0.975), p99: at(0.99), errors: 0 };
}
