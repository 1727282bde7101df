import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Says nothing about which values fit; swagger moves some of it elsewhere. */
const ANNOTATIONS = ['examples', 'example', 'description'];

/**
 * Replaces every schema in the document that is one of these shapes by a reference to a component of its name, and every page
 * of one by `<Name>Page`, also where its items carry their ETags (`Listed<Name>`). Two names for one shape: the shorter counts.
 */
export function nameComponents(document: Json, shapes: ReadonlyMap<string, TSchema>): void {
  const components = document.components as { schemas: Json };
  const names = new Map<string, string>();
  for (const [name, shape] of [...shapes].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))) {
    const key = keyOf(described(plain(shape)));
    if (!names.has(key)) names.set(key, name);
  }

  const refer = (name: string, make: () => unknown) => {
    if (!(name in components.schemas)) {
      components.schemas[name] = null;
      components.schemas[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  function replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const name = schema.type === 'object' ? names.get(keyOf(schema)) : undefined;
    if (name !== undefined) return refer(name, () => inside(described(plain(shapes.get(name)!)), replace));
    const inner = inside(schema, replace);
    const item = pageItem(inner);
    return item === null ? inner : refer(`${item.replace(/^Listed/, '')}Page`, () => inner);
  }

  document.paths = inside(described(document.paths as Json), replace);
  components.schemas = Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What stands under these keys is data, not schemas. */
const LITERAL = new Set([...ANNOTATIONS, 'enum', 'const', 'default', 'required']);

/** The same with `change` applied to what it consists of. The fields of an object may have any name, also one of ours. */
function inside(schema: Json, change: (value: unknown) => unknown): Json {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (LITERAL.has(key)) return [key, value];
    if (key !== 'properties') return [key, change(value)];
    const properties = Object.entries(value as Json).map(([name, property]) => [name, change(property)]);
    return [key, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries);
}

/** As swagger writes it: a schema for any key is `additionalProperties`. */
const plain = (schema: unknown): Json =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(/"patternProperties":\{"[^"]*":(\{[^{}]*\})\}/g, '"additionalProperties":$1'),
  );

/**
 * What a reader needs to know instead of what the validator does: unknown fields are dropped, not refused, and what a use
 * case itself insists on (`Demanded`) is required.
 */
function described(schema: Json): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-demanded': _, ...inner } = value as Json;
    if (inner.additionalProperties === false) delete inner.additionalProperties;
    const properties = Object.entries((inner.properties ?? {}) as Record<string, Json>);
    const demanded = properties.filter(([, property]) => property['x-demanded']).map(([name]) => name);
    if (demanded.length > 0) inner.required = [...((inner.required as string[] | undefined) ?? []), ...demanded];
    return inside(inner, walk);
  };
  return walk(schema) as Json;
}

/** The same for schemas that differ in the order of their keys and in their own annotations only. */
function keyOf(schema: Json): string {
  const own = Object.entries(schema).filter(([key]) => !ANNOTATIONS.includes(key));
  return JSON.stringify(Object.fromEntries(own), (_key, value) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** The name of what a page holds; null: this is no page. */
function pageItem({ type, properties }: Json): string | null {
  if (type !== 'object' || Object.keys(properties ?? {}).join() !== 'items,cursor') return null;
  const { items } = properties as { items: { items?: { $ref?: string } } };
  return items.items?.$ref?.split('/').at(-1) ?? null;
}
