import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type FieldError, invalid } from '../shared/errors.ts';

const MAX_DETAILS = 1000;

/** Bodies are taken as they are: "1" is not a number there. Query strings and paths are text, so numbers are read from it. */
const bodies = makeAjv(false);
const texts = makeAjv(true);

function makeAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: false, removeAdditional: true, useDefaults: false, coerceTypes });
  formats.default(ajv, { mode: 'fast', formats: ['email', 'uri'] });
  return ajv;
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return asFastify(bodies.compile(schema), '');
  const validate = asFastify(texts.compile(schema), '');
  const arrays = httpPart === 'querystring' ? arrayProperties(schema) : [];
  return (data: Record<string, unknown>) => {
    for (const name of arrays) {
      if (data[name] !== undefined) data[name] = readArray(data[name]);
    }
    return checkText(data) ?? validate(data);
  };
};

/** Checks a value that is not a request part, such as the configuration inside a body. Raises 422 with every wrong field. */
export function compileCheck<T>(schema: TSchema): (value: unknown, field?: string) => T {
  const validate = bodies.compile<T>(schema);
  return (value, field = '') => {
    if (!validate(value)) throw invalid(fieldErrors(validate.errors ?? [], field));
    return value;
  };
}

function asFastify(validate: ValidateFunction, field: string) {
  return (data: unknown) => {
    if (validate(data)) return { value: data };
    return { error: invalid(fieldErrors(validate.errors ?? [], field)) };
  };
}

/** NUL and half characters can be written in a query or path, but not in PostgreSQL. */
function checkText(data: Record<string, unknown>) {
  const bad = findBadText(data, '');
  return bad && { error: invalid([bad]) };
}

/** The first string that PostgreSQL could not keep: one with a NUL or half of a surrogate pair. */
export function findBadText(value: unknown, path: string): FieldError | null {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return null;
    const field = path || 'body';
    return { field, error: 'INVALID_FORMAT', message: `${field} holds a character that is not allowed.` };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    const bad = findBadText(key, path) ?? findBadText(inner, at);
    if (bad) return bad;
  }
  return null;
}

function arrayProperties(schema: TSchema): string[] {
  const properties: Record<string, { type?: string }> = (schema as { properties?: object }).properties as never;
  return Object.entries(properties ?? {})
    .filter(([, property]) => property.type === 'array')
    .map(([name]) => name);
}

/** `a=1&a=2`, `a=1,2` and `a=["1","2"]` are the same. */
function readArray(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  const text = String(value);
  if (text === '') return [];
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text.split(',').map((part) => part.trim());
}

/** One detail for each wrong field, in the order of the schema. */
export function fieldErrors(errors: ErrorObject[], prefix: string): FieldError[] {
  const seen = new Map<string, FieldError>();
  for (const error of withoutBranches(errors)) {
    const field = fieldOf(error, prefix);
    if (!seen.has(field)) seen.set(field, { field, ...describe(error, field) });
    if (seen.size >= MAX_DETAILS) break;
  }
  return [...seen.values()];
}

/**
 * A value that fits no branch of a union yields an error for each branch. Where a branch got further inside the value its
 * errors say best what is wrong; else one error for the value itself does.
 */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  let kept = errors;
  for (const union of unions) {
    const isBranch = (error: ErrorObject) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`);
    const branches = kept.filter(isBranch);
    const deeper = branches.filter((error) => fieldOf(error, '') !== fieldOf(union, ''));
    const fixedValues = branches.length > 0 && branches.every((error) => error.keyword === 'const');
    const first = branches.find((error) => error.params.type !== 'null' && error.keyword !== 'const');
    const replacement = deeper.length > 0 ? deeper : [fixedValues || !first ? constError(union, branches) : first];
    const at = kept.indexOf(union);
    if (at < 0) continue;
    kept = kept.flatMap((error) => (error === union ? replacement : isBranch(error) ? [] : [error]));
  }
  return kept;
}

function constError(union: ErrorObject, branches: ErrorObject[]): ErrorObject {
  return { ...union, keyword: 'enum', params: { allowedValues: branches.map((error) => error.params.allowedValue) } };
}

function fieldOf(error: ErrorObject, prefix: string): string {
  let path = prefix;
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

function describe({ keyword, params }: ErrorObject, field: string): { error: string; message: string } {
  switch (keyword) {
    case 'required':
      return { error: 'REQUIRED', message: `${field} is required.` };
    case 'type':
      return { error: 'INVALID_TYPE', message: `${field} must be of type ${String(params.type)}.` };
    case 'format':
      return { error: 'INVALID_FORMAT', message: `${field} must be a valid ${String(params.format)}.` };
    case 'pattern':
      return { error: 'INVALID_FORMAT', message: `${field} has characters that are not allowed or lacks some.` };
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
      return { error: 'OUT_OF_RANGE', message: `${field} must be ${params.comparison} ${params.limit}.` };
    case 'uniqueItems':
      return { error: 'DUPLICATE', message: `${field} holds the same value twice.` };
    default:
      return { error: 'INVALID_VALUE', message: `${field} is not valid.` };
  }
}

const unitOf = (keyword: string) =>
  keyword.endsWith('Items') ? 'entries' : keyword.endsWith('Properties') ? 'fields' : 'characters';
