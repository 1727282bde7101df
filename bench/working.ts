import { ask, startProcess } from './processes.ts';
import type { Bench } from './types.ts';

export type Working = Awaited<ReturnType<typeof startWorking>>;

/** A service with its jobs, as `npm start` runs it, on the benchmark's database. */
export async function startWorking({ env }: Bench, settings: NodeJS.ProcessEnv = {}) {
  const { child, url } = await startProcess('souk.ts', { ...env, SOUK_BENCH_WORKS: '1', ...settings });
  const memoryMb = async () => (await ask<{ memoryMb: number }>(child, 'memory')).memoryMb;
  return { url, memoryMb, stop: () => child.disconnect() };
}
