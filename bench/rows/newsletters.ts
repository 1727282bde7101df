import { ask, startProcess } from '../processes.ts';
import { type Bench, plainLine, type Row } from '../types.ts';
import { bearer } from './accounts.ts';

type Sink = { count: number; perSecond: number };
export type Newsletter = { collectionId: string; base: string };

const SUBJECT = 'News of the week';
const BODY = `<p>${'Some words of a newsletter that someone may like to read. '.repeat(30)}</p>`;

/** A newsletter without subscribers. */
export async function createNewsletter({ call, shop }: Bench, name: string): Promise<Newsletter> {
  const base = `/v1/businesses/${shop.businessId}`;
  const { id: collectionId } = await call<{ id: string }>('POST', `${base}/collections`, {
    body: {
      name: `${name} ${Date.now()}`,
      type: 'NEWSLETTER',
      statuses: [{ status: 'PUBLISHED' }],
      blocks: [
        { id: 'subject', type: 'TEXT', label: 'Subject' },
        { id: 'body', type: 'TEXT', label: 'Body', settings: { variant: 'HTML' } },
      ],
      plans: [{ id: 'free', name: 'Free' }],
    },
  });
  return { collectionId, base };
}

/** A newsletter with this many subscribers. */
async function seedNewsletter(bench: Bench, count: number): Promise<Newsletter> {
  const { pool, shop } = bench;
  const { collectionId, base } = await createNewsletter(bench, `Newsletter for ${count}`);
  await pool`
    insert into subscriptions
      (business_id, id, collection_id, email, email_key, name, plan_id, status, created_at, updated_at)
    select ${shop.businessId}, 'sub_' || ${collectionId} || lpad(n::text, 8, '0'), ${collectionId},
      'user' || n || '@example.com', 'user' || n || '@example.com', 'User ' || n, 'free', 'ACTIVE', 1, 1
    from generate_series(1, ${count}::int) n`;
  await pool`analyze subscriptions`;
  return { collectionId, base };
}

export async function createIssue({ call }: Bench, { collectionId, base }: Newsletter): Promise<string> {
  const { id } = await call<{ id: string }>('POST', `${base}/entries`, {
    body: {
      collectionId,
      locale: 'en',
      statuses: [{ status: 'PUBLISHED' }],
      blocks: [
        { id: 'subject', type: 'TEXT', value: SUBJECT },
        { id: 'body', type: 'TEXT', value: BODY },
      ],
    },
  });
  return id;
}

/** Sends an issue and waits until all subscribers have it. Returns how long the request to send took. */
async function sendIssue(
  bench: Bench,
  { collectionId, base }: Newsletter,
  url: string,
  count: number,
  sink: () => Promise<Sink>,
) {
  const id = await createIssue(bench, { collectionId, base });
  const startedAt = performance.now();
  const response = await fetch(`${url}${base}/entries/${id}/send`, {
    method: 'POST',
    headers: { ...bearer(bench.shop.adminToken), 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`send returned ${response.status}: ${await response.text()}`);
  const acceptedMs = performance.now() - startedAt;
  while ((await sink()).count < count) await new Promise((resolve) => setTimeout(resolve, 100));
  return { acceptedMs };
}

export async function startMailProcesses({ env }: Bench) {
  const sink = await startProcess('sink.ts', env);
  const sender = await startProcess('souk.ts', { ...env, SMTP_URL: sink.url, SOUK_BENCH_WORKS: '1' });
  return {
    sink,
    sender,
    counted: () => ask<Sink>(sink.child, 'count'),
    reset: () => ask<Sink>(sink.child, 'reset'),
    memoryMb: async () => (await ask<{ memoryMb: number }>(sender.child, 'memory')).memoryMb,
    stop() {
      for (const { child } of [sink, sender]) child.disconnect();
    },
  };
}

export const newsletter: Row = {
  name: 'newsletter',
  async run(bench) {
    const count = bench.seconds > 1 ? 20_000 : 3000;
    const newsletter = await seedNewsletter(bench, count);
    const mail = await startMailProcesses(bench);
    const bare = await startProcess('bare-mail.ts', bench.env, { silentStart: true });
    try {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < 2; round++) {
        await mail.reset();
        await sendIssue(bench, newsletter, mail.sender.url, count, mail.counted);
        ours.push((await mail.counted()).perSecond);
        await mail.reset();
        const order = { url: mail.sink.url, count, subject: SUBJECT, html: BODY, text: BODY };
        await ask(bare.child, order);
        theirs.push((await mail.counted()).perSecond);
      }
      const ratio = Math.max(...ours) / Math.max(...theirs);
      return [
        plainLine({
          operation: `Newsletter to ${count.toLocaleString('en')} subscribers`,
          ours: `${Math.round(Math.max(...ours))}/s`,
          bare: `${Math.round(Math.max(...theirs))}/s`,
          ratio: `${Math.round(ratio * 100)} %`,
          memory: `${await mail.memoryMb()} MB`,
          goal: '≥ 80 % of bare nodemailer',
          met: ratio >= 0.8,
        }),
      ];
    } finally {
      mail.stop();
      bare.child.disconnect();
    }
  },
};

export const newsletterLarge: Row = {
  name: 'newsletter-large',
  onlyLarge: true,
  async run(bench) {
    const mail = await startMailProcesses(bench);
    try {
      const small = await seedNewsletter(bench, 1000);
      await sendIssue(bench, small, mail.sender.url, 1000, mail.counted);
      const before = await mail.memoryMb();
      await mail.reset();
      const count = 200_000;
      const large = await seedNewsletter(bench, count);
      let most = before;
      const watch = setInterval(async () => {
        most = Math.max(most, await mail.memoryMb());
      }, 1000);
      const meanwhile = bench.measure({
        server: 'souk',
        connections: 4,
        requests: [{ method: 'GET', path: '/v1/users/me', headers: bearer(bench.shop.guestToken) }],
      });
      const { acceptedMs } = await sendIssue(bench, large, mail.sender.url, count, mail.counted);
      clearInterval(watch);
      const { p50, p99 } = await meanwhile;
      return [
        plainLine({
          operation: 'Start a send to 200,000 subscribers',
          ours: `${Math.round(acceptedMs)} ms`,
          goal: '< 300 ms',
          met: acceptedMs < 300,
        }),
        plainLine({
          operation: 'Memory for sends to 1,000 and 200,000 subscribers',
          ours: `${before} → ${most} MB`,
          memory: `${most} MB`,
          goal: 'within 50 MB',
          met: most - before <= 50,
        }),
        plainLine({
          operation: 'Other requests during a send to 200,000',
          ours: `${p99.toFixed(1)} ms`,
          p50: `${p50.toFixed(1)} ms`,
          p99: `${p99.toFixed(1)} ms`,
          goal: 'p99 < 50 ms',
          met: p99 < 50,
        }),
      ];
    } finally {
      mail.stop();
    }
  },
};
