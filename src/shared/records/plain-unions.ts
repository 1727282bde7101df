type Json = Record<string, unknown>;

const SCALARS = new Set<unknown>(['string', 'integer', 'number', 'boolean']);
const copies = new WeakMap<object, unknown>();

/**
 * Rewrites unions for the serializer, which otherwise compiles a validator to find the branch of a value. That takes longer than
 * everything else. `X | null` becomes a nullable X, and branches that differ by type become one schema with several types.
 */
export function plainUnions<Schema>(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const known = copies.get(schema);
  if (known) return known as Schema;
  const copy = Array.isArray(schema)
    ? schema.map(plainUnions)
    : plainUnion(Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plainUnions(value)])));
  copies.set(schema, copy);
  return copy as Schema;
}

function plainUnion(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = (anyOf as Json[]).filter(({ type }) => type !== 'null');
  const types = branches.flatMap(({ type }) => type);
  const nullable = branches.length < anyOf.length || branches.some((branch) => branch.nullable);
  const withTypes = (given: Json) => {
    const [type, ...more] = new Set(types);
    return { ...rest, ...given, type: more.length === 0 ? type : [type, ...more], ...(nullable ? { nullable } : {}) };
  };
  if (types.every((type) => SCALARS.has(type))) return withTypes({});
  const isPlain = types.every((type) => type !== undefined) && new Set(types).size === types.length;
  return isPlain ? withTypes(Object.assign({}, ...branches)) : schema;
}
