/** A worker in its own process on a test's database, so that a test can kill it. */
import pino from 'pino';
import { createService } from '../src/app.ts';
import { testConfig } from './config.ts';

const service = await createService({
  config: testConfig({}, process.env.DATA_DIR!),
  target: JSON.parse(process.env.SOUK_TEST_DATABASE!),
  log: pino({ level: 'error' }),
  works: true,
});
await service.work();
process.send?.('works');
