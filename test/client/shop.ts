/** The demo shop in a process of its own, which a test can kill and start again at the same address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { cloneDatabase, dropDatabase } from '../harness.ts';
import { startService } from '../service.ts';

export type Shop = Awaited<ReturnType<typeof startShop>>;

export async function startShop(given: Record<string, string> = {}) {
  const target = await cloneDatabase();
  const { host, user, password, database } = target;
  const folder = mkdtempSync(join(tmpdir(), 'souk-shop-'));
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
    DEMO: '1',
    SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
    LOG_LEVEL: 'error',
    ...given,
  };
  let service = await startService('start', settings);
  const { url, exports, output } = service;
  after(async () => {
    await service.stop();
    await dropDatabase(target);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: url!,
    businessId: exports.BUSINESS!,
    apiKey: exports.KEY!,
    password: /^Password +(\S+)$/m.exec(output())![1]!,
    stop: (signal?: NodeJS.Signals) => service.stop(signal),
    async restart() {
      service = await startService('start', { ...settings, PORT: new URL(url!).port });
    },
  };
}
