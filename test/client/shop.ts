/** The demo shop in a separate process, which a test can kill and restart at the same URL. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { cloneDatabase, dropDatabase, seededDemo } from '../databases.ts';
import { startService } from '../service.ts';
import { demoSettings, secretsOf } from './demo.ts';

export type Shop = Awaited<ReturnType<typeof startShop>>;

export async function startShop(given: Record<string, string> = {}) {
  const demo = await seededDemo();
  const target = await cloneDatabase(demo?.template);
  const folder = mkdtempSync(join(tmpdir(), 'souk-shop-'));
  if (demo) cpSync(demo.folder, folder, { recursive: true });
  const settings = { ...demoSettings(target, folder), ...given };
  let service = await startService('start', settings);
  const { url } = service;
  const { businessId, apiKey, password } = demo ?? secretsOf(service);
  after(async () => {
    await service.stop();
    await dropDatabase(target);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: url!,
    target,
    businessId,
    apiKey,
    password,
    stop: (signal?: NodeJS.Signals) => service.stop(signal),
    async restart() {
      service = await startService('start', { ...settings, PORT: new URL(url!).port });
    },
  };
}
