/**
 * `npm test`, or `npm test -- test/orders/checkout.test.ts` for some files only. Sets of files that take longer have their own
 * commands and are named instead of files: `npm run test:stories`, `npm run test:crashes`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupFiles } from './groups.ts';
import { checkStatements } from './statements.ts';

/** Of one test. A whole file has the time that `time-limit.ts` says. */
const TEST_MS = 120_000;

const SETS: Record<string, string[]> = {
  /** What people do in a browser and with the packed client. */
  stories: ['test/storefront/*.test.ts', 'test/admin/*.test.ts', 'test/pages/*.test.ts', 'test/client/package.test.ts'],
  /** Processes and servers that are started, and killed in the middle of their work. */
  crashes: [
    'test/**/{crash,crashes,killed,store-away}.test.ts',
    'test/{processes,cluster}/*.test.ts',
    'test/db/embedded.test.ts',
  ],
  /** `npm run test:pgbouncer`, `test:failover` and `test:upgrade`, which need programs, time or the former version. */
  servers: ['test/servers/*.test.ts', 'test/upgrade/*.test.ts'],
};

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const others = globSync('test/**/*.test.ts', { exclude: Object.values(SETS).flat() });
const filesOf = (name: string) => (name === 'others' ? others : SETS[name] ? globSync(SETS[name]) : [name]);
const groups = groupFiles((named.length > 0 ? named : ['others']).flatMap(filesOf));
// Browsers compute all the time; of the others some wait for servers and clocks while the rest computes.
const atOnce = named.includes('stories') ? 4 : 6;
const statements = mkdtempSync(join(tmpdir(), 'souk-statements-'));
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${atOnce}`,
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
