/** Strings from clients are measured before anything else reads them: a slow pattern never meets a long string. */
import { _, type Ajv, type FormatDefinition, type KeywordErrorDefinition } from 'ajv';
import type { RouteOptions } from 'fastify';

type StringSchema = { type?: unknown; enum?: unknown; const?: unknown; maxLength?: number };

/** With `allErrors`, Ajv checks patterns and formats of strings that are too long. These keywords replace its own and skip such strings. */
export function measureFirst(ajv: Ajv): void {
  replace(ajv, 'pattern', (pattern) => {
    // At most 1,048,576 characters: measured first, and the patterns of schemas are checked where they are written.
    const compiled = new RegExp(pattern, 'u');
    return (text) => compiled.test(text);
  });
  replace(ajv, 'format', (name) => {
    const format = ajv.formats[name];
    if (format instanceof RegExp) return (text) => format.test(text);
    const validate = typeof format === 'object' ? (format as FormatDefinition<string>).validate : format;
    if (typeof validate !== 'function') throw new Error(`Unknown format ${name}.`);
    return validate as (text: string) => boolean;
  });
}

type Matches = (text: string) => boolean;

function replace(ajv: Ajv, keyword: string, compile: (value: string) => Matches): void {
  const error: KeywordErrorDefinition = {
    message: `must match ${keyword}`,
    params: ({ schemaCode }) => _`{${keyword}: ${schemaCode}}`,
  };
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'string',
    error,
    compile(value: string, schema): Matches {
      const { maxLength = Number.POSITIVE_INFINITY } = schema as StringSchema;
      const matches = compile(value);
      // A character of maxLength has up to two UTF-16 units.
      return (text) => text.length > 2 * maxLength || matches(text);
    },
  });
}

const PARTS = ['params', 'querystring', 'headers', 'body'] as const;

/** Throws if a string in a request has no maximum length. */
export function requireMaxLengths({ method, url, schema }: RouteOptions): void {
  for (const part of PARTS) {
    const unbounded = findUnbounded(schema?.[part], part);
    if (unbounded) throw new Error(`${String(method)} ${url}: ${unbounded} must set maxLength.`);
  }
}

/** Routes share schemas, and each is checked once. */
const checked = new WeakSet<object>();

/** The path of the first string without a maximum, an `enum` or a `const`. */
function findUnbounded(schema: unknown, path: string): string | null {
  if (typeof schema !== 'object' || schema === null || checked.has(schema)) return null;
  const { type, enum: values, const: value, maxLength } = schema as StringSchema;
  const isString = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (isString && !values && value === undefined && maxLength === undefined) return path;
  for (const [key, inner] of Object.entries(schema)) {
    // What a use case validates is documentation here.
    if (key === 'x-documented') continue;
    const unbounded = findUnbounded(inner, `${path}.${key}`);
    if (unbounded) return unbounded;
  }
  checked.add(schema);
  return null;
}
