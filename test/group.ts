/**
 * Runs test files one after another in this process, each as a suite with its own hooks. Node's runner starts a process per
 * file, and loading the service takes two seconds of CPU in each; `--test-isolation=none` would start all services at once.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

let isGroup = false;
const ends: (() => Promise<void>)[] = [];
const failures: unknown[] = [];

/** Runs `end` after the last file of this process. A file that runs by itself is the last one. */
export function afterLastFile(end: () => Promise<void>): void {
  if (isGroup) ends.push(end);
  else after(end);
}

/** Fails the file whose hooks are running. Throwing would skip its other hooks, and the process might never end. */
export function failFile(error: unknown): void {
  if (isGroup) {
    failures.push(error);
    return;
  }
  console.error(error);
  process.exitCode = 1;
}

/** Several processes share the files. Each takes the next file that none has claimed, by creating a folder in `claims`. */
export async function runFiles(files: readonly string[], claims: string): Promise<void> {
  isGroup = true;
  // Keeps the process alive between files.
  const alive = setInterval(() => {}, 60_000);
  for (const [i, file] of files.entries()) {
    if (!claim(join(claims, String(i)))) continue;
    await suite(file, async () => void (await import(pathToFileURL(file).href)));
    for (const error of failures.splice(0)) {
      await test(file, () => {
        throw error;
      });
    }
  }
  for (const end of ends) await end();
  clearInterval(alive);
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
