import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TSchema } from 'typebox';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * The shapes of the API by name: every object schema that a file `…schemas.ts`, `shapes.ts` or `statuses.ts` exports, under
 * the name of its export. Read only when somebody asks for the document; the files are loaded by then anyway.
 */
export async function loadShapes(): Promise<Map<string, TSchema>> {
  const files = globSync('{shared,domains}/**/{*schemas,shapes,statuses}.ts', { cwd: HERE }).sort();
  const modules: object[] = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)));
  const exported = modules.flatMap((each) => Object.entries<TSchema>(each as Record<string, TSchema>));
  return new Map(exported.filter(([, shape]) => (shape as { type?: string } | null)?.type === 'object'));
}
