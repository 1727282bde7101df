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

/**
 * Writes a file for each group into a new folder. A process that waits for nothing but the next file would end, so each has a
 * timer; and a group that has come to its end says so.
 */
export function groupFiles(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-groups-'));
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const members = Object.groupBy(bySize, (file) => bySize.indexOf(file) % GROUPS);
  const groups = Object.entries(members).map(([index, own]) => ({ path: join(folder, `${index}.mjs`), own: own! }));
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
