/**
 * `npm test`: Node's test runner with our flags. `npm test -- test/orders/checkout.test.ts` runs the named files, and the name
 * of a set runs its files: `npm run test:stories`, `npm run test:crashes`, `npm run test:thorough`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files that take longer or need a browser, more processes or other programs. `npm test` skips them. */
const SETS: Record<string, string[]> = {
  /** User stories in a browser and with the packages. */
  stories: [
    ...['test/storefront/*.test.ts', 'test/admin/*.test.ts', 'test/pages/*.test.ts'],
    ...['test/client/package.test.ts', 'test/package/*.test.ts'],
  ],
  /** Tests that start processes and servers, and kill some of them. */
  crashes: [
    'test/**/{crash,crashes,killed,storage-outage}.test.ts',
    'test/{processes,cluster}/*.test.ts',
    'test/db/embedded.test.ts',
  ],
  /** Random requests, and large amounts of data. */
  thorough: ['test/contract/fuzz.test.ts', 'test/imports/moving.test.ts', 'test/media/large-uploads.test.ts'],
  /** `npm run test:pgbouncer`, `test:failover` and `test:upgrade`. */
  servers: ['test/servers/*.test.ts', 'test/upgrade/*.test.ts'],
};

/** More groups use the CPU better, but each has to load the service. */
const GROUPS = 12;

/** More failures than this are not flaky. */
const MAX_RETRIED = 3;

/** Databases and files are created in memory if there is space, because copying a database takes ten times longer on a disk. */
const MEMORY = '/dev/shm';
const freeBytes = ({ bavail, bsize } = statfsSync(MEMORY)) => bavail * bsize;
if (existsSync(MEMORY) && freeBytes() > 8 * 2 ** 30) process.env.TMPDIR ??= MEMORY;

const all = globSync('test/**/*.test.ts', { exclude: Object.values(SETS).flat() });
const folder = mkdtempSync(join(tmpdir(), 'souk-groups-'));

/** One file per group, which runs the group's files in its process. */
function groupFiles(): string[] {
  const files = all.sort();
  return Array.from({ length: GROUPS }, (_, group) => {
    const path = join(folder, `${String(group).padStart(2, '0')}.mjs`);
    const own = files.filter((_, i) => i % GROUPS === group);
    const runner = JSON.stringify(new URL('group.ts', import.meta.url).href);
    writeFileSync(path, `import { runFiles } from ${runner};\nawait runFiles(${JSON.stringify(own)});\n`);
    return path;
  });
}

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('--'));
const named = given.filter((argument) => !argument.startsWith('--'));
const files = named.length > 0 ? named.flatMap((name) => SETS[name] ?? name) : groupFiles();
/** A browser uses more than one core. */
const isStories = named.includes('stories');
const failed = join(folder, 'failed');

const run = (paths: readonly string[]) =>
  spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${isStories ? 3 : 4}`,
      '--test-timeout=120000',
      '--test-global-setup=test/setup.ts',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/failed-files.ts',
      `--test-reporter-destination=${failed}`,
      ...flags,
      ...paths,
    ],
    { stdio: 'inherit', env: { ...process.env, ...(isStories && { SEED_DEMO: '1' }) } },
  ).status ?? 1;

let status = run(files);
const again = readFileSync(failed, 'utf8').split('\n').filter(Boolean);
/** CI runs files with failures once more, so that a flaky test does not block a change. It still names them. */
if (status !== 0 && process.env.RETRY_FAILED && again.length > 0 && again.length <= MAX_RETRIED) {
  console.log(`\nFailed, running again: ${again.join(', ')}`);
  status = run(again);
  if (status === 0) console.log(`\nFlaky, passed only when run again: ${again.join(', ')}`);
}
rmSync(folder, { recursive: true });
process.exit(status);
