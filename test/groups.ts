/**
 * Test files that share a process, one after the other: each has its own service and database, but what all of them load is
 * loaded once.
 */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** So many that the processes end at about the same time. */
const GROUPS = 16;

/** They begin first, each in a process of its own, so that none of them is what everybody waits for at the end. */
const LONGEST = [
  'test/contract/fuzz.test.ts',
  'test/imports/moving.test.ts',
  'test/payments/stripe.test.ts',
  'test/media/disk-full.test.ts',
  'test/privacy/erasure.test.ts',
  'test/media/uploads.test.ts',
  'test/admin/settings.test.ts',
  'test/admin/products.test.ts',
  'test/admin/shell.test.ts',
  'test/admin/first-day.test.ts',
];

/**
 * Writes a file for each group into a new folder. A process that waits for nothing but the next file would end, so each has a
 * timer; and a group that has come to its end says so.
 */
export function groupFiles(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-groups-'));
  const bySize = files.toSorted((a, b) => rank(a) - rank(b) || statSync(b).size - statSync(a).size);
  const members = Object.groupBy(bySize, (file) => bySize.indexOf(file) % GROUPS);
  const groups = Object.entries(members).map(([index, own]) => ({
    path: join(folder, `${index.padStart(2, '0')}.mjs`),
    own: own!,
  }));
  for (const { path, own } of groups) writeFileSync(path, moduleOf(own, doneFile(path)));
  return {
    paths: groups.map(({ path }) => path),
    /** Files of groups that have not come to their end. Deletes the folder. */
    end(): string[] {
      const left = groups.filter(({ path }) => !existsSync(doneFile(path))).flatMap(({ own }) => own);
      rmSync(folder, { recursive: true });
      return left;
    },
  };
}

const rank = (file: string) => (LONGEST.includes(file) ? 0 : 1);

const doneFile = (path: string) => `${path}.done`;

const moduleOf = (files: readonly string[], done: string) => `
import { writeFileSync } from 'node:fs';
import { after, suite } from 'node:test';
import { endFile } from ${JSON.stringify(new URL('each-file.ts', import.meta.url).href)};
const alive = setInterval(() => {}, 60_000);
for (const [file, url] of ${JSON.stringify(files.map((file) => [file, pathToFileURL(resolve(file)).href]))}) {
  process.env.SOUK_TEST_FILE = file;
  await suite(file, async () => {
    await import(url);
    after(endFile);
  });
}
clearInterval(alive);
writeFileSync(${JSON.stringify(done)}, '');
`;
