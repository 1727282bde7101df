import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type FieldError, invalid } from '../shared/errors.ts';
import { Bps, MoneyMinor, Timestamp } from '../shared/schemas.ts';
import { isStorable } from '../shared/text/text.ts';
import { type BodySchema, clearNulls } from './nulls.ts';

export const MAX_DETAILS = 1000;
/** For a body with more values than this, only the first error is reported. */
const LISTED_VALUES = 20_000;

type Validate = (value: unknown) => FieldError[] | null;

/**
 * The first validator stops at the first error. The second one then collects all errors, unless the body is so large that it
 * could block the process. Both are compiled on first use.
 */
const [firstError, everyError] = [false, true].map((allErrors) => {
  const options = { verbose: true, strict: false, removeAdditional: true, useDefaults: false };
  // Optimizing the code doubles the time to compile it, and validation does not get faster.
  const ajv = new Ajv({ ...options, allErrors, code: { optimize: false } });
  formats.default(ajv, { mode: 'fast', formats: ['email', 'uri'] });
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

/** Returns one detail per invalid field, in schema order. */
function fieldErrors(errors: ErrorObject[]): FieldError[] {
  const seen = new Map<string, FieldError>();
  for (const error of withoutBranches(errors)) {
    const field = fieldOf(error);
    if (!seen.has(field)) seen.set(field, { field, ...describe(error, field) });
    if (seen.size >= MAX_DETAILS) break;
  }
  return [...seen.values()];
}

/**
 * A value that matches no branch of a union gives an error for each branch, then one for the union. If a branch has errors
 * inside the value, those are the most specific. Otherwise a single error for the value is kept.
 */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error);
      continue;
    }
    let start = kept.length;
    while (start > 0 && isBranch(kept[start - 1]!, error)) start--;
    const branches = kept.splice(start);
    kept.push(...mostSpecific(branches, error));
  }
  return kept;
}

const isBranch = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);

function mostSpecific(branches: ErrorObject[], union: ErrorObject): ErrorObject[] {
  const deeper = branches.filter((error) => fieldOf(error) !== fieldOf(union));
  if (deeper.length > 0) return deeper;
  const fixedValues = branches.every((error) => error.keyword === 'const');
  const first = branches.find((error) => error.params.type !== 'null' && error.keyword !== 'const');
  return [fixedValues || !first ? constError(union, branches) : first];
}

function constError(union: ErrorObject, branches: ErrorObject[]): ErrorObject {
  const allowedValues = branches.filter((error) => error.keyword === 'const').map((error) => error.params.allowedValue);
  return { ...union, keyword: 'enum', params: { allowedValues } };
}

function fieldOf(error: ErrorObject): string {
  let path = '';
  for (const part of error.instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path += /^\d+$/.test(name) ? `[${name}]` : path ? `.${name}` : name;
  }
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty);
    path += path ? `.${missing}` : missing;
  }
  return path || 'body';
}

function describe(error: ErrorObject, field: string): { error: string; message: string } {
  const { keyword, params } = error;
  const schema = error.parentSchema as { enum?: string[]; description?: string; examples?: unknown[] } | undefined;
  const unit = UNITS[schema?.description ?? ''];
  switch (keyword) {
    case 'required':
      return { error: 'REQUIRED', message: `${field} is required.` };
    case 'type':
      if (schema?.enum) return { error: 'INVALID_TYPE', message: `${field} must be one of ${schema.enum.join(', ')}.` };
      return {
        error: 'INVALID_TYPE',
        message: `${field} must be of type ${String(params.type)}${unit ? `, in ${unit}` : ''}.`,
      };
    case 'format':
      return { error: 'INVALID_FORMAT', message: `${field} must be a valid ${String(params.format)}.` };
    case 'pattern':
      return { error: 'INVALID_FORMAT', message: `${field} has an invalid format.${exampleOf(schema)}` };
    case 'enum':
      return { error: 'INVALID_VALUE', message: `${field} must be one of ${params.allowedValues.join(', ')}.` };
    case 'const':
      return { error: 'INVALID_VALUE', message: `${field} must be ${String(params.allowedValue)}.` };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { error: 'TOO_SHORT', message: `${field} must have at least ${params.limit} ${unitOf(keyword)}.` };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { error: 'TOO_LONG', message: `${field} must have at most ${params.limit} ${unitOf(keyword)}.` };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        error: 'OUT_OF_RANGE',
        message: `${field} must be ${COMPARISONS[params.comparison]} ${params.limit}${unit ? `, in ${unit}` : ''}.`,
      };
    case 'uniqueItems':
      return { error: 'DUPLICATE', message: `${field} must not contain duplicates.` };
    default:
      return { error: 'INVALID_VALUE', message: `${field} is invalid.` };
  }
}

function descriptionOf(schema: TSchema): string {
  return (schema as { description?: string }).description ?? '';
}

/** Units of numbers with these descriptions. */
const UNITS: Record<string, string> = {
  [descriptionOf(Timestamp)]: 'seconds since 1970',
  [descriptionOf(MoneyMinor)]: 'minor units such as cents',
  [descriptionOf(Bps)]: 'basis points: 100 is 1%',
};

const exampleOf = (schema: { examples?: unknown[] } | undefined) =>
  schema?.examples?.length ? ` For example, ${String(schema.examples[0])}.` : '';

const COMPARISONS: Record<string, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'greater than',
  '<': 'less than',
};

const unitOf = (keyword: string) =>
  keyword.endsWith('Items') ? 'items' : keyword.endsWith('Properties') ? 'fields' : 'characters';
