import { readFileSync } from 'node:fs';

type Schema = {
  $ref?: string;
  maxItems?: number;
  maxLength?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};
export type Operation = { summary: string; tags: string[]; 'x-access': string };

const document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
} = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);

/** The schema of the data of an event type, or null if it has no data. */
export const eventDataSchema = (type: string): string | null =>
  document.components.schemas.EventData?.properties?.[type]?.$ref?.split('/').at(-1) ?? null;

/** A limit from a schema in the OpenAPI document: `schemaLimit('ProductInput.variants', 'maxItems')`. */
export function schemaLimit(path: string, keyword: 'maxItems' | 'maxLength' | 'maximum'): number {
  const [name, ...properties] = path.split('.');
  let schema = document.components.schemas[name!];
  for (const property of properties) {
    schema = property === '[]' ? schema?.items : schema?.properties?.[property];
    // A field that accepts null.
    schema = schema?.anyOf?.[0] ?? schema;
  }
  const limit = schema?.[keyword];
  if (limit === undefined) throw new Error(`${path} has no ${keyword} in docs/openapi.json.`);
  return limit;
}
