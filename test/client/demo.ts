/** The demo shop as a template. Seeding it and processing its images takes several seconds of CPU, so a run does it once. */
import { join } from 'node:path';
import { createPool } from '../../src/db/pool.ts';
import type { Target } from '../citus/servers.ts';
import { eventually, startService } from '../service.ts';

/** `template`: the database to clone. `folder`: the data directory to copy. */
export type Demo = { template: string; folder: string; businessId: string; apiKey: string; password: string };

export const demoSettings = ({ user, password, host, port, database }: Target, folder: string) => ({
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  DEMO: '1',
  SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
  LOG_LEVEL: 'error',
});

/** Starts the service with an empty database, waits until it has nothing left to do, and stops it. */
export async function seedDemo(target: Target, parent: string): Promise<Demo> {
  const folder = join(parent, 'demo');
  const service = await startService('start', demoSettings(target, folder));
  const pool = createPool(target, { max: 1 });
  await eventually('the demo is seeded', async () => {
    const [open] = await pool<[{ count: number }]>`
      select (select count(*) from event_outbox) + (select count(*) from tasks where running or (not dead and due_at < extract(epoch from now()) + 60)) as count`;
    return open.count === 0;
  });
  await pool.end();
  await service.stop();
  return { template: target.database, folder, ...secretsOf(service) };
}

/** Printed on the first run. */
export const secretsOf = ({ exports, output }: Awaited<ReturnType<typeof startService>>) => ({
  businessId: exports.BUSINESS!,
  apiKey: exports.KEY!,
  password: /^Password +(\S+)$/m.exec(output())![1]!,
});
