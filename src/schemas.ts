import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type, { type TSchema } from 'typebox';
import { EVENT_SCHEMAS } from './event-schemas.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SCHEMA_FILE = /^(shared|domains)\/(.*\/)?[^/]*schemas\.ts$/;

/**
 * Loads the API's schemas by export name: every object schema exported by a `…schemas` file. Called when the OpenAPI document is first
 * requested. By then the files are already in memory.
 */
export async function loadSchemas(): Promise<Map<string, TSchema>> {
  const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' })
    .filter((file) => SCHEMA_FILE.test(file))
    .sort();
  const modules: object[] = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)));
  const exported = modules.flatMap((each) => Object.entries<TSchema>(each as Record<string, TSchema>));
  const named = exported.filter(([, schema]) => (schema as { type?: string } | null)?.type === 'object');
  return new Map([...named, ['EventData', EventData]]);
}

const EventData = Type.Object(EVENT_SCHEMAS, {
  description: 'The `data` of an event, by the type of the event.',
  'x-component': true,
});
