/** A job worker in its own process, for tests that kill it. */
import pino from 'pino';
import { createService } from '../../../src/app.ts';
import { testConfig } from '../../config.ts';

const { target, settings, folder } = JSON.parse(process.env.SOUK_TEST_WORKER ?? '{}');
const log = pino({ level: 'error' });
const service = await createService({ config: testConfig(settings, folder), target, log, works: true });
await service.work();
process.send?.('working');
process.once('message', async () => {
  await service.stop();
  process.exit(0);
});
