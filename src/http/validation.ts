import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type FieldError, invalid, ServiceError } from '../shared/errors.ts';
import { isRecord } from '../shared/is-record.ts';
import { isStorable } from '../shared/text.ts';

const MAX_DETAILS = 1000;
/** Values in a body of which every wrong field is listed; of a larger one only the first. */
const LISTED_VALUES = 20_000;

type Validate = (value: unknown) => FieldError[] | null;

/**
 * Validators that stop at the first error, and go through the value again only to list them all. A body that is made to have
 * a million errors is not worth a second of everybody's time: there the first one is all that is told. Both are made when
 * they are first needed.
 */
const [firstError, everyError] = [false, true].map((allErrors) => {
  const ajv = new Ajv({ allErrors, strict: false, removeAdditional: true, useDefaults: false });
  formats.default(ajv, { mode: 'fast', formats: ['email', 'uri'] });
  return ajv;
});

/** For values that come otherwise than as a body, and are checked by the same rules. Unknown fields are dropped. */
export const compileCheck = (schema: TSchema): Validate => compile(schema);

function compile(schema: TSchema): Validate {
  refuseLossyUnions(schema);
  let isValid: ValidateFunction | undefined;
  let listing: ValidateFunction | undefined;
  return (value) => {
    isValid ??= firstError!.compile(schema);
    if (isValid(value)) return null;
    if (!hasAtMost(value, LISTED_VALUES)) return fieldErrors(isValid.errors ?? []);
    listing ??= everyError!.compile(schema);
    listing(value);
    return fieldErrors(listing.errors ?? isValid.errors ?? []);
  };
}

/** Bodies are taken as they are: "1" is not a number there. Query strings and paths are text, so numbers are read from it. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = compile(schema);
  const asFastify = (data: unknown) => {
    const errors = validate(data);
    return errors ? { error: invalid(errors) } : { value: data };
  };
  if (httpPart === 'body') return asFastify;
  const properties = Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {});
  const readable = properties.filter(([, property]) => !isPlainText(property));
  return (data: Record<string, unknown>) => {
    for (const [name, property] of readable) {
      const sent = data[name] ?? data[`${name}[]`];
      if (sent !== undefined) data[name] = readText(sent, property);
    }
    return checkText(data) ?? asFastify(data);
  };
};

/**
 * For routes with `attachValidation`, whose bodies have more in them than a schema can check: raises what the schema found wrong
 * together with what `more` finds, so that all wrong fields are told at once. `more` gets the body as it was sent, and a copy
 * of it without the fields that are wrong.
 */
export async function refuseInvalid(
  request: FastifyRequest,
  more: (body: Body, right: Body) => FieldError[] | Promise<FieldError[]>,
): Promise<void> {
  const error: unknown = request.validationError;
  if (!error) return;
  const isAboutBody = (error as { validationContext?: string }).validationContext === 'body';
  if (!(error instanceof ServiceError) || !isAboutBody || !isRecord(request.body)) throw error;
  if (!isListed(request.body, error.details)) throw error;
  const known = new Set(error.details.map(({ field }) => field));
  const right = withoutFields(request.body, known);
  const added = (await more(request.body, right)).filter(({ field }) => !known.has(field));
  throw invalid([...error.details, ...added].slice(0, MAX_DETAILS));
}

type Body = Record<string, unknown>;

/** A copy without these fields. An element of a list leaves an empty one behind, so that the others stay at their positions. */
function withoutFields(body: Body, fields: Iterable<string>): Body {
  const copy = structuredClone(body);
  for (const field of fields) {
    const path = field.split(/[.[\]]+/).filter((part) => part !== '');
    const last = path.pop()!;
    let at: unknown = copy;
    for (const part of path) at = (at as Body | undefined)?.[part];
    if (Array.isArray(at)) at[Number(last)] = {};
    else if (isRecord(at)) delete at[last];
  }
  return copy;
}

/** Dropping unknown fields happens while a branch is tried, so a first branch would drop what only the second one knows. */
function refuseLossyUnions(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { anyOf, oneOf } = schema as { anyOf?: TSchema[]; oneOf?: TSchema[] };
  const objects = (anyOf ?? oneOf ?? []).filter((branch) => 'properties' in branch);
  if (objects.length > 1 && objects.some((branch) => 'additionalProperties' in branch)) {
    throw new Error(
      'A union of objects must not drop unknown fields: use Type.Object instead of Input in its branches.',
    );
  }
  for (const inner of Object.values(schema)) refuseLossyUnions(inner);
}

/** False: there may be more wrong fields than these. */
const isListed = (body: unknown, details: FieldError[]) =>
  details.length < MAX_DETAILS && hasAtMost(body, LISTED_VALUES);

function hasAtMost(value: unknown, limit: number): boolean {
  let left = limit;
  const count = (inner: unknown): boolean => {
    if (--left < 0) return false;
    return typeof inner !== 'object' || inner === null || Object.values(inner).every(count);
  };
  return count(value);
}

/** NUL and half characters can be written in a query or path, but not in PostgreSQL. */
function checkText(data: Record<string, unknown>) {
  const bad = findBadText(data, '');
  return bad && { error: invalid([bad]) };
}

/** The first string that PostgreSQL could not store: one with a NUL or half of a surrogate pair. */
export function findBadText(value: unknown, path: string): FieldError | null {
  if (typeof value === 'string') {
    if (isStorable(value)) return null;
    const field = path || 'body';
    return { field, error: 'INVALID_FORMAT', message: `${field} has a character that is not allowed.` };
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

/** Text becomes what the schema asks for where it plainly is that; else it stays text, and the schema refuses it. */
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

/** `a=1&a=2`, `a[]=1&a[]=2`, `a=1,2` and `a=["1","2"]` are the same. */
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

/** One detail for each wrong field, in the order of the schema. */
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
 * A value that fits no branch of a union yields an error for each branch, followed by one for the union. Where a branch got
 * further inside the value its errors say best what is wrong; else one error for the value itself does.
 */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  const telling: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      telling.push(error);
      continue;
    }
    let start = telling.length;
    while (start > 0 && isBranch(telling[start - 1]!, error)) start--;
    const branches = telling.splice(start);
    telling.push(...mostTelling(branches, error));
  }
  return telling;
}

const isBranch = (error: ErrorObject, union: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);

function mostTelling(branches: ErrorObject[], union: ErrorObject): ErrorObject[] {
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
      return { error: 'DUPLICATE', message: `${field} has the same value twice.` };
    default:
      return { error: 'INVALID_VALUE', message: `${field} is not valid.` };
  }
}

const unitOf = (keyword: string) =>
  keyword.endsWith('Items') ? 'entries' : keyword.endsWith('Properties') ? 'fields' : 'characters';
