import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { createJobs, type Jobs } from '../../src/jobs/index.ts';
import { type Bench, type Line, plainLine, type Row } from '../types.ts';

/**
 * Bursts of jobs, and the number of workers that share them. Each claim is a transaction, so one worker starts a few
 * hundred tasks per second.
 */
const BURSTS = [
  { count: 1, workers: 1 },
  { count: 10, workers: 1 },
  { count: 1000, workers: 8 },
];
const GOAL_MS = 1000;

type Burst = { count: number; workers: number; urgent: boolean };

const queueOf = ({ workers, urgent }: Burst) => `bench-${urgent ? 'urgent' : 'plain'}-${workers}`;

/** Commits a burst in one transaction and returns how long after the commit each task started, in ascending order. */
async function begin({ pool }: Bench, jobs: Jobs, startTimes: Map<string, number[]>, burst: Burst): Promise<number[]> {
  const queue = queueOf(burst);
  const times: number[] = [];
  startTimes.set(queue, times);
  await pool.transaction(async (tx) => {
    for (let n = 0; n < burst.count; n++) await jobs.enqueue(tx, 'biz_bench', queue, { n });
  });
  const committedAt = performance.now();
  while (times.length < burst.count) await delay(5);
  return times.map((at) => Math.max(0, at - committedAt)).sort((a, b) => a - b);
}

function line({ count, workers, urgent }: Burst, idleSeconds: number, waits: number[]): Line {
  const quantile = (share: number) => waits[Math.ceil(waits.length * share) - 1]!;
  const [p50, p99] = [quantile(0.5), quantile(0.99)];
  const subject = `${count.toLocaleString('en')} job${count > 1 ? 's' : ''}, ${workers} worker${workers > 1 ? 's' : ''}`;
  return plainLine({
    operation: `Commit to handler after ${idleSeconds} s idle, ${urgent ? 'urgent' : 'not urgent'}: ${subject}`,
    ours: `${Math.round(p99)} ms`,
    p50: `${p50.toFixed(1)} ms`,
    p99: `${p99.toFixed(1)} ms`,
    goal: `p99 < ${GOAL_MS} ms`,
    met: p99 < GOAL_MS,
  });
}

export const jobsBegin: Row = {
  name: 'jobs',
  async run(bench) {
    const idleSeconds = bench.seconds > 1 ? 60 : 5;
    const target = JSON.parse(bench.env.SOUK_BENCH_TARGET!);
    const jobsPool = createPool(target, { max: 3 });
    const listener = createListener(target);
    const jobs = createJobs(jobsPool, listener, pino({ level: 'warn' }));
    const startTimes = new Map<string, number[]>();
    const bursts = [true, false].flatMap((urgent) => BURSTS.map((burst) => ({ ...burst, urgent })));
    for (const burst of bursts) {
      const name = queueOf(burst);
      const handle = async () => void startTimes.get(name)?.push(performance.now());
      jobs.registerTasks({ name, urgent: burst.urgent, concurrency: burst.workers, handle });
    }
    try {
      await jobs.install();
      await jobs.work();
      const lines: Line[] = [];
      for (const burst of bursts) {
        await delay(idleSeconds * 1000);
        lines.push(line(burst, idleSeconds, await begin(bench, jobs, startTimes, burst)));
      }
      return lines;
    } finally {
      await jobs.stop();
      await Promise.all([jobsPool.end(), listener.stop()]);
    }
  },
};
