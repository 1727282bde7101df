/**
 * Test files that share a process, one after the other: each has its own service and database, but what all of them load is
 * loaded once.
 */
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** So many that the processes end at about the same time. */
const GROUPS = 16;

/** Writes a file for each group into a new folder. */
export function groupFiles(files: readonly string[]): { folder: string; groups: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'souk-groups-'));
  const bySize = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const groups = Map.groupBy(bySize.keys(), (i) => i % GROUPS);
  return {
    folder,
    groups: [...groups].map(([index, members]) => {
      const path = join(folder, `${index}.mjs`);
      writeFileSync(path, `import { suite } from 'node:test';\n${members.map((i) => suiteOf(bySize[i]!)).join('')}`);
      return path;
    }),
  };
}

function suiteOf(file: string): string {
  const [name, url] = [file, pathToFileURL(resolve(file)).href].map((each) => JSON.stringify(each));
  return `process.env.SOUK_TEST_FILE = ${name};\nawait suite(${name}, () => import(${url}));\n`;
}
