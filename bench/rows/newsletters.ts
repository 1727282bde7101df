import { ask, startProcess } from '../processes.ts';
import { type Bench, plainLine, type Row } from '../types.ts';
import { bearer } from './accounts.ts';

type Sink = { count: number; perSecond: number };
type Letter = { collectionId: string; base: string };

const SUBJECT = 'News of the week';
const BODY = `<p>${'Some words of a newsletter that somebody may like to read. '.repeat(30)}</p>`;

/** A newsletter of its own with so many subscribers. */
async function seedLetter({ call, pool, shop }: Bench, count: number): Promise<Letter> {
  const base = `/v1/businesses/${shop.businessId}`;
  const { id: collectionId } = await call<{ id: string }>('POST', `${base}/collections`, {
    body: {
      name: `Letter for ${count} ${Date.now()}`,
      type: 'NEWSLETTER',
      statuses: [{ status: 'PUBLISHED' }],
      blocks: [
        { id: 'subject', type: 'TEXT', label: 'Subject' },
        { id: 'body', type: 'TEXT', label: 'Body', settings: { variant: 'HTML' } },
      ],
      plans: [{ id: 'free', name: 'Free' }],
    },
  });
  await pool`
    insert into subscriptions
      (business_id, id, collection_id, email, email_key, name, plan_id, status, created_at, updated_at)
    select ${shop.businessId}, 'sub_' || ${collectionId} || lpad(n::text, 8, '0'), ${collectionId},
      'user' || n || '@example.com', 'user' || n || '@example.com', 'User ' || n, 'free', 'ACTIVE', 1, 1
    from generate_series(1, ${count}::int) n`;
  await pool`analyze subscriptions`;
  return { collectionId, base };
}

/** Sends an issue and waits until everybody has it. Returns how long the call to send took. */
async function sendIssue(
  bench: Bench,
  { collectionId, base }: Letter,
  url: string,
  count: number,
  sink: () => Promise<Sink>,
) {
  const { id } = await bench.call<{ id: string }>('POST', `${base}/entries`, {
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
  const startedAt = performance.now();
  const answer = await fetch(`${url}${base}/entries/${id}/send`, {
    method: 'POST',
    headers: { ...bearer(bench.shop.adminToken), 'content-type': 'application/json' },
    body: '{}',
  });
  if (!answer.ok) throw new Error(`send answered ${answer.status}: ${await answer.text()}`);
  const answeredMs = performance.now() - startedAt;
  while ((await sink()).count < count) await new Promise((resolve) => setTimeout(resolve, 100));
  return { answeredMs };
}

async function startMailProcesses({ env }: Bench) {
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
    const letter = await seedLetter(bench, count);
    const mail = await startMailProcesses(bench);
    const bare = await startProcess('bare-mail.ts', bench.env, { silentStart: true });
    try {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < 2; round++) {
        await mail.reset();
        await sendIssue(bench, letter, mail.sender.url, count, mail.counted);
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
      const small = await seedLetter(bench, 1000);
      await sendIssue(bench, small, mail.sender.url, 1000, mail.counted);
      const before = await mail.memoryMb();
      await mail.reset();
      const count = 200_000;
      const large = await seedLetter(bench, count);
      let most = before;
      const watch = setInterval(async () => {
        most = Math.max(most, await mail.memoryMb());
      }, 1000);
      const meanwhile = bench.measure({
        server: 'souk',
        connections: 4,
        requests: [{ method: 'GET', path: '/v1/users/me', headers: bearer(bench.shop.guestToken) }],
      });
      const { answeredMs } = await sendIssue(bench, large, mail.sender.url, count, mail.counted);
      clearInterval(watch);
      const { p50, p99 } = await meanwhile;
      return [
        plainLine({
          operation: 'Start of a send to 200,000',
          ours: `${Math.round(answeredMs)} ms`,
          goal: '< 300 ms',
          met: answeredMs < 300,
        }),
        plainLine({
          operation: 'Memory, sending to 1,000 and to 200,000',
          ours: `${before} → ${most} MB`,
          memory: `${most} MB`,
          goal: 'within 50 MB',
          met: most - before <= 50,
        }),
        plainLine({
          operation: 'Other requests while 200,000 are sent',
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
