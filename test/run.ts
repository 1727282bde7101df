/**
 * `npm test`, or `npm test -- test/orders/checkout.test.ts` for some files only. `npm run test:stories` plays through what people
 * do in a browser and with the packed client, which takes longer.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupFiles } from './groups.ts';
import { checkStatements } from './statements.ts';

/** Of one test. A whole file has the time that `time-limit.ts` says. */
const TEST_MS = 120_000;

/** The folders of `npm run test:stories`. */
const STORIES = ['test/storefront/**', 'test/admin/**', 'test/pages/**', 'test/client/package.test.ts'];

/** `npm run test:pgbouncer`, `test:failover` and `test:upgrade`, which need programs, time or the former version. */
const SERVERS = ['test/servers/**', 'test/upgrade/**'];

const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const chosen = files.length > 0 ? files : globSync('test/**/*.test.ts', { exclude: [...STORIES, ...SERVERS] });
const groups = groupFiles(chosen);
const statements = mkdtempSync(join(tmpdir(), 'souk-statements-'));
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-concurrency=4',
    `--test-timeout=${TEST_MS}`,
    '--import=./test/time-limit.ts',
    '--import=./test/statements.ts',
    '--test-global-setup=test/setup.ts',
    '--test-reporter=spec',
    ...flags,
    ...groups.paths,
  ],
  { stdio: 'inherit', env: { ...process.env, SOUK_TEST_STATEMENTS: statements } },
);
const nameless = checkStatements(statements);
rmSync(statements, { recursive: true });
const problems = [
  ...nameless.map((text) => `A statement on a table of businesses names no business: ${text}`),
  ...groups.end().map((file) => `${file} may not have run: its process has ended before.`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length > 0 ? 1 : (status ?? 1));
