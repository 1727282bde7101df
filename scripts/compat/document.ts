/** The part of an OpenAPI document that a client depends on. */
export type Schema = {
  $ref?: string;
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  pattern?: string;
} & { [limit in Limit]?: number };

type Limit = (typeof LOWER_LIMITS)[number] | (typeof UPPER_LIMITS)[number];
export const LOWER_LIMITS = ['minLength', 'minimum', 'minItems'] as const;
export const UPPER_LIMITS = ['maxLength', 'maximum', 'maxItems', 'maxProperties'] as const;

export type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Content = Record<string, { schema?: Schema }>;
export type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
export type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

const PROSE = [
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'default',
  'format',
  'security',
  'x-access',
];
/** The keys of these objects are our own names, not keywords. */
const NAMED = ['properties', 'schemas', 'paths'];

function withoutProse(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNamed || !PROSE.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutProse(each, !isNamed && NAMED.includes(key))]));
}

/** The document without prose or error responses, with one line per operation and schema. */
export function recordOf(document: Document, version: string): string {
  const { paths, components } = withoutProse(document) as Document;
  const operations = Object.entries(paths).map(([path, methods]) => {
    const rows = Object.entries(methods).map(([method, { responses, ...operation }]) => {
      const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
      return `      ${JSON.stringify(method)}: ${JSON.stringify({ ...operation, responses: Object.fromEntries(successes) })}`;
    });
    return `    ${JSON.stringify(path)}: {\n${rows.join(',\n')}\n    }`;
  });
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `      ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  return [
    '{',
    `  "info": { "version": ${JSON.stringify(version)} },`,
    `  "paths": {\n${operations.join(',\n')}\n  },`,
    `  "components": {\n    "schemas": {\n${schemas.join(',\n')}\n    }\n  }`,
    '}\n',
  ].join('\n');
}
