/** Runs the service in its own process on a test's database, so that the test can kill it. Sends its URL to the parent. */
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { testConfig } from '../config.ts';

const service = await createService({
  config: testConfig({ CHECKOUT_TTL: '300' }, process.env.DATA_DIR!),
  target: JSON.parse(process.env.SOUK_TEST_DATABASE!),
  log: pino({ level: 'error' }),
  works: false,
});
process.send?.(await service.listen());
