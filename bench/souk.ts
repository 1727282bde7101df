/** The service under test, as `npm start` runs it, on the benchmark's database. */
import pino from 'pino';
import { createService } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { startProfile, stopProfile } from './profile.ts';

const service = await createService({
  config: loadConfig(process.env),
  target: JSON.parse(process.env.SOUK_BENCH_TARGET!),
  log: pino({ level: 'warn' }),
  works: process.env.SOUK_BENCH_WORKS === '1',
});
const url = await service.listen();
if (process.env.SOUK_BENCH_WORKS === '1') await service.work();
process.send?.(url);
process.on('message', async (question) => {
  if (question === 'profile') process.send?.(await startProfile().then(() => 'started'));
  if (question === 'profiled') process.send?.(await stopProfile());
  if (question === 'memory') process.send?.({ memoryMb: Math.round(process.memoryUsage().rss / 1_048_576) });
});
process.on('disconnect', () => process.exit(0));
