/** A process that works on the queue `killed`, for a test that kills it in the middle of a task. */
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { createJobs } from '../../src/jobs/index.ts';

const target = JSON.parse(process.env.SOUK_TEST_DATABASE!);
const jobs = createJobs(createPool(target, { max: 3 }), createListener(target), pino({ level: 'error' }), {
  pollMs: 20,
});
jobs.registerTasks<{ n: number }>({
  name: 'killed',
  concurrency: 2,
  async handle({ n }) {
    process.send!(n);
    await new Promise(() => {});
  },
});
await jobs.install();
await jobs.work();
