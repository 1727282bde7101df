/** Describes schema errors for clients. */
import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import type { FieldError } from '../../shared/errors.ts';
import { Bps, MoneyMinor, Timestamp } from '../../shared/schemas.ts';
import { counted, oneOf } from '../../shared/text/phrases.ts';

export const MAX_DETAILS = 1000;

/** Returns one detail per invalid field, in schema order. */
export function fieldErrors(errors: ErrorObject[]): FieldError[] {
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
      if (schema?.enum) return { error: 'INVALID_TYPE', message: `${field} must be ${oneOf(schema.enum)}.` };
      return {
        error: 'INVALID_TYPE',
        message: `${field} must be of type ${String(params.type)}${unit ? ` (${unit})` : ''}.`,
      };
    case 'format':
      return {
        error: 'INVALID_FORMAT',
        message: `${field} must be a valid ${FORMATS[params.format] ?? String(params.format)}.`,
      };
    case 'pattern':
      return { error: 'INVALID_FORMAT', message: `${field} has an invalid format.${exampleOf(schema)}` };
    case 'enum':
      return { error: 'INVALID_VALUE', message: `${field} must be ${oneOf(params.allowedValues)}.` };
    case 'const':
      return { error: 'INVALID_VALUE', message: `${field} must be ${String(params.allowedValue)}.` };
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return { error: 'TOO_SHORT', message: `${field} must have at least ${counted(params.limit, nounOf(keyword))}.` };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return { error: 'TOO_LONG', message: `${field} must have at most ${counted(params.limit, nounOf(keyword))}.` };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        error: 'OUT_OF_RANGE',
        message: `${field} must be ${COMPARISONS[params.comparison]} ${params.limit}${unit ? ` (${unit})` : ''}.`,
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

/** Units of numbers, by the description in their schema. */
const UNITS: Record<string, string> = {
  [descriptionOf(Timestamp)]: 'Unix time in seconds',
  [descriptionOf(MoneyMinor)]: 'minor units, such as cents',
  [descriptionOf(Bps)]: 'basis points; 100 = 1%',
};

const FORMATS: Record<string, string> = { email: 'email address' };

const exampleOf = (schema: { examples?: unknown[] } | undefined) =>
  schema?.examples?.length ? ` Use a value such as ${String(schema.examples[0])}.` : '';

const COMPARISONS: Record<string, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'greater than',
  '<': 'less than',
};

const nounOf = (keyword: string) =>
  keyword.endsWith('Items') ? 'item' : keyword.endsWith('Properties') ? 'field' : 'character';
