import { startProcess } from '../processes.ts';
import { seedAudience } from '../seeds/audience.ts';
import { type Bench, plainLine, type Row } from '../types.ts';
import { createIssue, createNewsletter, type Newsletter } from './newsletters.ts';

const DAY = 86_400;
const MEASURED = 5;

/** The shortest of several runs. */
async function fastest(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < MEASURED; i++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return Math.min(...times);
}

/** The time from the request until the recipients are stored. Nothing is delivered. */
async function startSend(bench: Bench, newsletter: Newsletter, url: string, body: object): Promise<number> {
  const entryId = await createIssue(bench, newsletter);
  const path = `${newsletter.base}/entries/${entryId}`;
  const startedAt = performance.now();
  const { id } = await bench.call<{ id: string }>('POST', `${path}/send`, { body, url });
  const until = async (column: 'frozen' | 'closed') => {
    for (;;) {
      const [row] = await bench.pool<[{ frozen: boolean; closed: boolean }]>`
        select frozen, not open as closed from sends where business_id = ${bench.shop.businessId} and id = ${id}`;
      if (row[column]) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until('frozen');
  const startedMs = performance.now() - startedAt;
  await bench.call('POST', `${path}/sends/${id}/cancel`);
  // The service marks the deliveries as skipped, which would slow down the next send.
  await until('closed');
  return startedMs;
}

export const segmentLarge: Row = {
  name: 'segment-large',
  onlyLarge: true,
  async run(bench) {
    const people = bench.seconds > 1 ? 1_000_000 : 100_000;
    const total = people.toLocaleString('en');
    const newsletter = await createNewsletter(bench, 'Weekly');
    const { base, collectionId } = newsletter;
    await seedAudience(bench.pool, bench.shop.businessId, collectionId, people);
    const now = Math.floor(Date.now() / 1000);
    const reads = { field: 'subscriber.newsletter', op: 'is', value: collectionId };
    const tagged = (value: string) => ({ field: 'subscriber.tag', op: 'is', value });
    const bought = { field: 'order.category', op: 'in', value: ['Coffee', 'Tea'] };
    const spent = { field: 'customer.spent', op: 'atLeast', value: 1000 };
    const either = { all: [reads, { any: [tagged('vip'), bought] }] };
    const filters: [string, object][] = [
      ['newsletter', reads],
      ['newsletter and tag', { all: [reads, tagged('vip')] }],
      [
        'category bought in 90 days and newsletter',
        { all: [{ field: 'order.category', op: 'is', value: 'Coffee', days: 90 }, reads] },
      ],
      [
        'plan and sign-up month',
        {
          all: [
            { field: 'subscriber.plan', op: 'is', value: 'club' },
            { field: 'subscriber.joinedAt', op: 'after', value: now - 200 * DAY },
            { field: 'subscriber.joinedAt', op: 'before', value: now - 170 * DAY },
          ],
        },
      ],
      ['amount spent and country', { all: [spent, { field: 'customer.country', op: 'is', value: 'DE' }] }],
      ['nothing bought', { field: 'customer.orders', op: 'is', value: 0 }],
      ['tag, or nothing bought', { any: [tagged('vip'), { field: 'customer.orders', op: 'is', value: 0 }] }],
      ['no order from most categories', { not: bought }],
      ['newsletter, and tag or category', either],
      [
        'tag, amount spent or name',
        { any: [tagged('vip'), spent, { field: 'subscriber.name', op: 'contains', value: '77' }] },
      ],
    ];
    const lines = [];
    for (const [name, filter] of filters) {
      const body = { filter };
      const count = () => bench.call<{ count: number }>('POST', `${base}/segments/count`, { body });
      const { count: found } = await count();
      const ms = await fastest(count);
      lines.push(
        plainLine({
          operation: `Count ${found.toLocaleString('en')} of ${total} people by ${name}`,
          ours: `${Math.round(ms)} ms`,
          goal: '< 1 s',
          met: ms < 1000,
        }),
      );
    }
    const createSegment = async (name: string, filter: object) =>
      (await bench.call<{ id: string }>('POST', `${base}/segments`, { body: { name, filter } })).id;
    const segments: [string, string][] = [
      ['everyone, by newsletter and tag', await createSegment('Readers', { all: [reads, tagged('reader')] })],
      [
        'all but the buyers of a product',
        await createSegment('Others', { not: { field: 'order.product', op: 'is', value: 'prod_audience3' } }),
      ],
      ['everyone with a tag or a category', await createSegment('Either', either)],
    ];
    // Its mail server refuses connections.
    const { child, url } = await startProcess('souk.ts', {
      ...bench.env,
      SMTP_URL: 'smtp://127.0.0.1:9',
      SOUK_BENCH_WORKS: '1',
    });
    try {
      let plain = Number.POSITIVE_INFINITY;
      const started = segments.map(() => Number.POSITIVE_INFINITY);
      for (let round = 0; round < 2; round++) {
        plain = Math.min(plain, await startSend(bench, newsletter, url, {}));
        for (const [i, [, segmentId]] of segments.entries())
          started[i] = Math.min(started[i]!, await startSend(bench, newsletter, url, { segmentId }));
      }
      for (const [i, [name]] of segments.entries()) {
        const ratio = started[i]! / plain;
        lines.push(
          plainLine({
            operation: `Start a send to ${name}, of ${total} people`,
            ours: `${Math.round(started[i]!)} ms`,
            bare: `${Math.round(plain)} ms without the segment`,
            ratio: `${ratio.toFixed(2)}×`,
            goal: '≤ 1.25×',
            met: ratio <= 1.25,
          }),
        );
      }
    } finally {
      child.disconnect();
    }
    return lines;
  },
};
