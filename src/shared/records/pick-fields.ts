import type { TSchema } from 'typebox';
import { isRecord } from '../is-record.ts';
import { plainUnions } from './plain-unions.ts';

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: unknown;
};
type Pick = (value: unknown) => unknown;

/** By schema. */
const picks = new WeakMap<object, Pick>();

/**
 * Copies the fields of a value that its schema declares, including the fields of nested objects and lists. Fields with any value are
 * copied as they are. Objects and lists in place of another type are left out.
 */
export const pickFields = <T>(schema: TSchema, value: T): T => pickOf(plainUnions(schema) as Schema)(value) as T;

function pickOf(schema: Schema): Pick {
  const known = picks.get(schema);
  if (known) return known;
  const pick = compile(schema);
  picks.set(schema, pick);
  return pick;
}

/** A union that `plainUnions` couldn't rewrite has several kinds of objects. Picking from them needs a validator. */
function compile({ type, properties, items, patternProperties, additionalProperties, anyOf }: Schema): Pick {
  if (anyOf) throw new Error('Fields of a union of objects cannot be picked.');
  const allows = (name: string) => type === undefined || [type].flat().includes(name);
  const [allowsArray, allowsObject] = [allows('array'), allows('object')];
  const pickItem = items && pickOf(items);
  const pickEach = patternProperties && pickOf(Object.values(patternProperties)[0]!);
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, pickOf(field)] as const);
  return (value) => {
    if (Array.isArray(value)) return allowsArray ? (pickItem ? value.map(pickItem) : value) : undefined;
    if (!isRecord(value)) return value;
    if (!allowsObject) return undefined;
    if (additionalProperties === true) return value;
    if (fields) return pickDeclared(fields, value);
    if (!pickEach) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, pickEach(inner)]));
  };
}

function pickDeclared(fields: readonly (readonly [string, Pick])[], value: Record<string, unknown>) {
  const picked: Record<string, unknown> = {};
  for (const [name, pick] of fields) if (value[name] !== undefined) picked[name] = pick(value[name]);
  return picked;
}
