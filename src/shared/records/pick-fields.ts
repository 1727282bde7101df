import type { TSchema } from 'typebox';
import { isRecord } from '../is-record.ts';

type Schema = { properties?: Record<string, Schema>; items?: Schema };

/** Copies the fields of a value that its schema declares, including the fields of nested objects and lists. */
export const pickFields = <T>(schema: TSchema, value: T): T => pick(schema as Schema, value) as T;

function pick({ properties, items }: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => pick(items, item)) : value;
  if (!properties || !isRecord(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const name in properties) if (value[name] !== undefined) picked[name] = pick(properties[name]!, value[name]);
  return picked;
}
