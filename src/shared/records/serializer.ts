import buildSerializer, { type Schema } from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { plainUnions } from './plain-unions.ts';

declare const produced: unique symbol;

/** JSON from the serializer of a schema. It contains only what the schema declares. */
export type SerializedJson = Buffer & { readonly [produced]: true };

type Serialize<Value> = (value: Value) => string;

/** By schema, because several routes have the same one. */
const serializers = new WeakMap<TSchema, Serialize<unknown>>();

/**
 * Compiles the serializer of a schema on first use, because most processes use few of them. `references` are the schemas that it may
 * refer to by `$id`.
 */
export function serializerOf<Value>(schema: TSchema, references: () => unknown = () => ({})): Serialize<Value> {
  let serialize: Serialize<Value> | undefined;
  return (value) => {
    serialize ??= serializers.get(schema) ?? compile(schema, references());
    return serialize(value);
  };
}

function compile(schema: TSchema, references: unknown): Serialize<unknown> {
  const serialize = buildSerializer(plainUnions(schema) as Schema, { schema: references as Record<string, Schema> });
  serializers.set(schema, serialize);
  return serialize;
}

export const asJson = (text: string) => Buffer.from(text) as SerializedJson;
