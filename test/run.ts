/** `npm test`, or `npm test -- test/orders/checkout.test.ts` for some files only. */
import { spawnSync } from 'node:child_process';

/** Of one test. A whole file has the time that `time-limit.ts` says. */
const TEST_MS = 120_000;

const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-concurrency=4',
    `--test-timeout=${TEST_MS}`,
    '--import=./test/time-limit.ts',
    '--test-global-setup=test/setup.ts',
    '--test-reporter=spec',
    ...flags,
    ...(files.length > 0 ? files : ['test/**/*.test.ts']),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
