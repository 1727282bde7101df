import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { isStorable } from '../../shared/text/text.ts';
import { fieldErrors, MAX_DETAILS } from './field-errors.ts';
import { measureFirst } from './lengths.ts';
import { type BodySchema, clearNulls } from './nulls.ts';

/** For a body with more values than this, only the first error is reported. */
const LISTED_VALUES = 20_000;

type Validate = (value: unknown) => FieldError[] | null;

/**
 * The first validator stops at the first error. The second one then collects all errors, unless the body is so large that it
 * could block the process. Both are compiled on first use.
 */
const [firstError, everyError] = [false, true].map((allErrors) => {
  // TypeScript already checks the schemas.
  const unchecked = { meta: false, validateSchema: false };
  const options = { verbose: true, strict: false, removeAdditional: true, useDefaults: false, ...unchecked };
  // Optimizing the code doubles the time to compile it, and validation does not get faster.
  const ajv = new Ajv({ ...options, allErrors, code: { optimize: false } });
  formats.default(ajv, { mode: 'fast', formats: ['email', 'uri'] });
  measureFirst(ajv);
  return ajv;
});

/** Validates values from sources other than a request body by the same rules. Drops unknown fields. */
export const compileCheck = (schema: TSchema): Validate => compile(schema);

function compile(schema: TSchema): Validate {
  rejectLossyUnions(schema);
  let isValid: ValidateFunction | undefined;
  let listing: ValidateFunction | undefined;
  return (value) => {
    isValid ??= firstError!.compile(schema);
    if (isValid(value)) return null;
    if (!isWithinSize(value, LISTED_VALUES)) return fieldErrors(isValid.errors ?? []);
    listing ??= everyError!.compile(schema);
    listing(value);
    return fieldErrors(listing.errors ?? isValid.errors ?? []);
  };
}

/** Bodies are not coerced: "1" is not a number. Query strings and paths are text, so they are converted. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart, method }) => {
  const validate = compile(schema);
  const asFastify = (data: unknown) => {
    const errors = validate(data);
    return errors ? { error: invalid(errors) } : { value: data };
  };
  if (httpPart === 'body') {
    return (data: unknown) => {
      const result = asFastify(data);
      // Only invalid bodies are searched for nulls, because most have none.
      return 'error' in result && clearNulls(schema as BodySchema, data, method === 'PUT') ? asFastify(data) : result;
    };
  }
  const properties = Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {});
  const converted = properties.filter(([, property]) => !isPlainText(property));
  return (data: Record<string, unknown>) => {
    for (const [name, property] of converted) {
      const sent = data[name] ?? data[`${name}[]`];
      if (sent !== undefined) data[name] = readText(sent, property);
    }
    return checkText(data) ?? asFastify(data);
  };
};

/** Routes share schemas, and each is checked once. */
const checked = new WeakSet<object>();

/** Ajv drops unknown fields while it tries a branch, so the first branch would drop fields of the second. */
function rejectLossyUnions(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null || checked.has(schema)) return;
  const { anyOf, oneOf } = schema as { anyOf?: TSchema[]; oneOf?: TSchema[] };
  const objects = (anyOf ?? oneOf ?? []).filter((branch) => 'properties' in branch);
  if (objects.length > 1 && objects.some((branch) => 'additionalProperties' in branch)) {
    throw new Error(
      'A union of objects must not drop unknown fields: use Type.Object instead of Input in its branches.',
    );
  }
  for (const inner of Object.values(schema)) rejectLossyUnions(inner);
  checked.add(schema);
}

/** False if the body may have more errors than these. */
export const isComplete = (body: unknown, details: FieldError[]) =>
  details.length < MAX_DETAILS && isWithinSize(body, LISTED_VALUES);

function isWithinSize(value: unknown, limit: number): boolean {
  let left = limit;
  const count = (inner: unknown): boolean => {
    if (--left < 0) return false;
    return typeof inner !== 'object' || inner === null || Object.values(inner).every(count);
  };
  return count(value);
}

/** A query or path can contain NUL and unpaired surrogates, which PostgreSQL can't store. */
function checkText(data: Record<string, unknown>) {
  const bad = findBadText(data, '');
  return bad && { error: invalid([bad]) };
}

/** Finds the first string that PostgreSQL can't store because of a NUL or an unpaired surrogate. */
export function findBadText(value: unknown, path: string): FieldError | null {
  if (typeof value === 'string') {
    if (isStorable(value)) return null;
    const field = path || 'body';
    return { field, error: 'INVALID_FORMAT', message: `${field} contains an invalid character.` };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    const bad = findBadText(key, path) ?? findBadText(inner, at);
    if (bad) return bad;
  }
  return null;
}

const isPlainText = (schema: TSchema) => typesOf(schema).every((type) => type === 'string');

function typesOf(schema: TSchema): string[] {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: TSchema[] };
  return type === undefined ? anyOf.flatMap(typesOf) : [type];
}

/** Converts text to the type in the schema if possible. Otherwise it stays text, and validation fails. */
function readText(value: unknown, schema: TSchema): unknown {
  const types = typesOf(schema);
  if (types.includes('array')) {
    const { items } = schema as { items?: TSchema };
    const list = Array.isArray(value) ? value.flatMap(readArray) : readArray(value);
    return items && Array.isArray(list) ? list.map((item) => readText(item, items)) : list;
  }
  if (typeof value !== 'string') return value;
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
}

/** `a=1&a=2`, `a[]=1&a[]=2`, `a=1,2` and `a=["1","2"]` are equivalent. */
function readArray(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value === '') return [];
  if (!value.startsWith('[')) return value.split(',').map((part) => part.trim());
  try {
    const list: unknown[] = JSON.parse(value);
    return list.every((item) => typeof item !== 'object') ? list : value;
  } catch {
    return value;
  }
}
