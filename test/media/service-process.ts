/**
 * The service with its jobs in a separate process, on a test's database and folder, so that a test can kill it.
 * Prints its URL.
 */
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { testConfig } from '../config.ts';

const service = await createService({
  config: testConfig(JSON.parse(process.env.SOUK_TEST_SETTINGS ?? '{}'), process.env.DATA_DIR!),
  target: JSON.parse(process.env.SOUK_TEST_DATABASE!),
  log: pino({ level: 'error' }),
  works: true,
});
const url = await service.listen();
await service.work();
process.send?.(url);
