/**
 * Runs test files one after the other in this process, each as a suite with its own hooks. Node's runner starts a process per
 * file, and loading the service takes a second of CPU in each; `--test-isolation=none` would start all services at once.
 */
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';

export async function runFiles(files: readonly string[]): Promise<void> {
  // Keeps the process alive between files.
  const alive = setInterval(() => {}, 60_000);
  for (const file of files) await suite(file, async () => void (await import(pathToFileURL(file).href)));
  clearInterval(alive);
}
