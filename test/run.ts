/**
 * `npm test`: Node's test runner with our flags. `npm test -- test/orders/checkout.test.ts` runs the named files, and the name
 * of a set runs its files: `npm run test:stories`, `npm run test:crashes`, `npm run test:thorough`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
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
    'test/**/{crash,crashes,experiment-crash,killed,killed-checkout,storage-outage,disk-full,overload}.test.ts',
    'test/{processes,cluster,tracing}/*.test.ts',
    'test/db/{embedded,replica,tls,unreplicated}.test.ts',
    'test/docs/{code,restore,tour}.test.ts',
    'test/providers/images.test.ts',
  ],
  /** Random requests, and large amounts of data. Also runs the files with random cases again, with more of them. */
  thorough: ['test/contract/fuzz.test.ts', 'test/imports/moving.test.ts', 'test/media/large-uploads.test.ts'],
  /** `npm run test:pgbouncer`, `test:failover`, `test:upgrade` and `test:chaos`. */
  servers: ['test/servers/*.test.ts', 'test/upgrade/*.test.ts', 'test/chaos/*.test.ts'],
};

/** One more than there are cores, because each waits for PostgreSQL in between. Each has to load the service. */
const PROCESSES = Math.min(availableParallelism() + 1, 8);

/** More failures than this are not flaky. */
const MAX_RETRIED = 3;

/** Databases and files are created in memory if there is space, because copying a database takes ten times longer on a disk. */
const MEMORY = '/dev/shm';
const freeBytes = ({ bavail, bsize } = statfsSync(MEMORY)) => bavail * bsize;
if (existsSync(MEMORY) && freeBytes() > 8 * 2 ** 30) process.env.TMPDIR ??= MEMORY;

const all = globSync('test/**/*.test.ts', { exclude: Object.values(SETS).flat() });
const folder = mkdtempSync(join(tmpdir(), 'souk-groups-'));

/** A module per process, which runs the files that no other process has claimed. */
function groupFiles(): string[] {
  const claims = join(folder, 'claims');
  mkdirSync(claims);
  const [runner, files, to] = [new URL('group.ts', import.meta.url).href, all.sort(), claims].map((each) =>
    JSON.stringify(each),
  );
  return Array.from({ length: PROCESSES }, (_, i) => {
    const path = join(folder, `${i}.mjs`);
    writeFileSync(path, `import { runFiles } from ${runner};\nawait runFiles(${files}, ${to});\n`);
    return path;
  });
}

/** The files whose tests try more random cases in the set `thorough`. */
const withCases = () => all.filter((file) => /from '[./]+\/cases\.ts'/.test(readFileSync(file, 'utf8')));

const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('--'));
const named = given.filter((argument) => !argument.startsWith('--'));
const [isStories, isThorough] = ['stories', 'thorough'].map((name) => named.includes(name));
const isGrouped = named.length === 0;
const files = isGrouped
  ? groupFiles()
  : [...named.flatMap((name) => SETS[name] ?? name), ...(isThorough ? withCases() : [])];
const failed = join(folder, 'failed');

const run = (paths: readonly string[]) =>
  spawnSync(
    process.execPath,
    [
      '--test',
      // A browser uses more than one core.
      `--test-concurrency=${isGrouped ? PROCESSES : isStories ? 3 : 4}`,
      // A cluster takes several times longer.
      `--test-timeout=${process.env.CITUS_BIN ? 600_000 : 120_000}`,
      '--test-global-setup=test/setup.ts',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./test/failed-files.ts',
      `--test-reporter-destination=${failed}`,
      ...flags,
      ...paths,
    ],
    {
      stdio: 'inherit',
      env: {
        ...(isGrouped && { TEST_FILE_MS: process.env.CITUS_BIN ? '10800000' : '2700000' }),
        ...(isStories && { SEED_DEMO: '1' }),
        ...(isThorough && { THOROUGH: '1' }),
        ...process.env,
      },
    },
  ).status ?? 1;

let status = run(files);
const again = readFileSync(failed, 'utf8').split('\n').filter(Boolean);
/** CI runs files with failures once more, so that a flaky test does not block a change, and names the flaky ones. */
if (status !== 0 && process.env.RETRY_FAILED && again.length > 0 && again.length <= MAX_RETRIED) {
  console.log(`\nFailed, running again: ${again.join(', ')}`);
  status = run(again);
  if (status === 0) console.log(`\nFlaky, passed only when run again: ${again.join(', ')}`);
}
rmSync(folder, { recursive: true });
process.exit(status);
