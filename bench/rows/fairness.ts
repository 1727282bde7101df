import { setTimeout as delay } from 'node:timers/promises';
import { seedAudience } from '../seeds/audience.ts';
import { type Bench, plainLine, type Row } from '../types.ts';
import { createIssue, createNewsletter, type Newsletter, startMailProcesses } from './newsletters.ts';

const LARGE_SENDS = 6;
const FEW = 100;
const MEASURED = 6;
const DELIVERY_MS = 20_000;

async function createFew(bench: Bench, businessId: string): Promise<Newsletter> {
  const newsletter = await createNewsletter({ ...bench, shop: { ...bench.shop, businessId } }, 'Few');
  const { collectionId } = newsletter;
  await bench.pool`
    insert into subscriptions
      (business_id, id, collection_id, email, email_key, name, plan_id, status, created_at, updated_at)
    select ${businessId}, 'sub_' || ${collectionId} || n, ${collectionId}, 'few' || n || '@example.com', 'few' || n || '@example.com',
      'User ' || n, 'free', 'ACTIVE', 1, 1
    from generate_series(1, ${FEW}::int) n`;
  return newsletter;
}

/** The client waits and retries a request that is rejected because too many are running. */
async function send(bench: Bench, path: string, url: string, body: object): Promise<string> {
  for (;;) {
    try {
      return (await bench.call<{ id: string }>('POST', `${path}/send`, { body, url })).id;
    } catch (error) {
      if (!String(error).includes('returned 429')) throw error;
      await delay(1000);
    }
  }
}

/** The time from the request until every subscriber of a small newsletter has the issue. */
async function sendToFew(bench: Bench, newsletter: Newsletter, url: string): Promise<number> {
  const path = `${newsletter.base}/entries/${await createIssue(bench, newsletter)}`;
  const startedAt = performance.now();
  const id = await send(bench, path, url, {});
  for (;;) {
    const [row] = await bench.pool<
      [{ isDone: boolean }]
    >`select completed_at is not null as is_done from sends where id = ${id}`;
    if (row.isDone) return performance.now() - startedAt;
    await delay(20);
  }
}

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

/** The time of a small send while another business starts several large sends to a segment at once, and while these are delivered. */
export const newsletterFair: Row = {
  name: 'newsletter-fair',
  onlyLarge: true,
  async run(bench) {
    const { call, pool, shop } = bench;
    const large = await createNewsletter(bench, 'Large');
    const people = bench.seconds > 1 ? 200_000 : 50_000;
    await seedAudience(pool, shop.businessId, large.collectionId, people);
    const tagged = { field: 'subscriber.tag', op: 'is', value: 'reader' };
    const bought = { field: 'order.category', op: 'in', value: ['Coffee', 'Tea'] };
    const { id: segmentId } = await call<{ id: string }>('POST', `${large.base}/segments`, {
      body: { name: 'Everyone', filter: { any: [tagged, bought] } },
    });
    const other = await call<{ id: string }>('POST', '/v1/businesses', { body: { name: 'Other', slug: 'other' } });
    const few = await createFew(bench, other.id);
    const mail = await startMailProcesses(bench);
    try {
      const { url } = mail.sender;
      const measure = async (isOver: (times: number[]) => boolean) => {
        const times: number[] = [];
        while (times.length === 0 || !isOver(times)) {
          times.push(await sendToFew(bench, few, url));
          await delay(200);
        }
        return median(times);
      };
      await sendToFew(bench, few, url);
      const alone = await measure((times) => times.length === MEASURED);
      const paths: string[] = [];
      for (let i = 0; i < LARGE_SENDS; i++) paths.push(`${large.base}/entries/${await createIssue(bench, large)}`);
      let areStarted = false;
      const started = Promise.all(paths.map((path) => send(bench, path, url, { segmentId }))).then(async (ids) => {
        const isWaiting = async () =>
          (await pool`select from sends where id = any(${ids}) and not frozen limit 1`).length > 0;
        while (await isWaiting()) await delay(100);
        areStarted = true;
        return ids;
      });
      const starting = await measure(() => areStarted);
      const ids = await started;
      const startedAt = performance.now();
      const delivering = await measure(() => performance.now() - startedAt > DELIVERY_MS);
      for (const [i, path] of paths.entries()) await call('POST', `${path}/sends/${ids[i]}/cancel`);
      const line = (state: string, ms: number) =>
        plainLine({
          operation: `Send to ${FEW} people while another business ${state} ${LARGE_SENDS} sends to ${people.toLocaleString('en')}`,
          ours: `${Math.round(ms)} ms`,
          bare: `${Math.round(alone)} ms alone`,
          ratio: `${(ms / alone).toFixed(1)}×`,
          goal: '≤ 3×',
          met: ms <= 3 * alone,
        });
      return [line('starts', starting), line('delivers', delivering)];
    } finally {
      mail.stop();
    }
  },
};
