import { readFile } from 'node:fs/promises';

const FILE = new URL('../../../docs/openapi.json', import.meta.url);

/**
 * The OpenAPI document that `npm run openapi` has written, or null if it is missing. Building the document blocks a process for
 * a second and takes 30 MB, so production reads it. So does the npm package, which has no schema files to build it from.
 */
export async function readSavedDocument(): Promise<object | null> {
  const text = await readFile(FILE, 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}
