import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Keywords that don't affect validation. Swagger moves some of them elsewhere. */
const ANNOTATIONS = ['examples', 'example', 'description'];

/**
 * Replaces each named schema in the document with a reference to a component, and each page of one with `<Name>Page`, even if
 * its items have ETags (`Listed<Name>`). If a schema has two names, the shorter one wins. A reference keeps its own description.
 * Schemas with `x-component` are components even if no operation uses them.
 */
export function nameComponents(document: Json, schemas: ReadonlyMap<string, TSchema>): void {
  const components = document.components as { schemas: Json };
  const names = new Map<string, string>();
  for (const [name, schema] of [...schemas].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))) {
    const known = described(plain(schema));
    if (isFreeForm(known)) continue;
    const key = keyOf(known);
    if (!names.has(key)) names.set(key, name);
  }

  const refer = (name: string, create: () => unknown) => {
    if (!(name in components.schemas)) {
      components.schemas[name] = null;
      components.schemas[name] = create();
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  function replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const name = schema.type === 'object' || schema.anyOf ? names.get(keyOf(schema)) : undefined;
    if (name !== undefined) {
      const component = described(plain(schemas.get(name)!));
      const reference = refer(name, () => inside(component, replace));
      const { description } = schema;
      return description && description !== component.description ? { ...reference, description } : reference;
    }
    const inner = inside(schema, replace);
    const item = pageItem(inner);
    return item === null ? inner : refer(`${item.replace(/^Listed/, '')}Page`, () => inner);
  }

  document.paths = inside(described(document.paths as Json), replace);
  for (const schema of schemas.values()) if ('x-component' in schema) replace(described(plain(schema)));
}

/** Whether the schema accepts any object and has no title: it says nothing that distinguishes one such object from another. */
const isFreeForm = ({ type, properties, additionalProperties, title }: Json) =>
  type === 'object' &&
  Object.keys(properties ?? {}).length === 0 &&
  typeof additionalProperties !== 'object' &&
  title === undefined;

/** The values of these keywords are data, not schemas. */
const LITERAL = new Set([...ANNOTATIONS, 'enum', 'const', 'default', 'required']);

/** Applies `change` to the parts of a schema. Properties can have any name, even the name of a keyword. */
function inside(schema: Json, change: (value: unknown) => unknown): Json {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (LITERAL.has(key)) return [key, value];
    if (key !== 'properties') return [key, change(value)];
    const properties = Object.entries(value as Json).map(([name, property]) => [name, change(property)]);
    return [key, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries);
}

/** Matches Swagger's output, which writes a schema for any key as `additionalProperties`. */
const plain = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (!value?.patternProperties) return value;
    const { patternProperties, ...rest } = value;
    return { ...rest, additionalProperties: Object.values(patternProperties)[0] };
  });

/**
 * Describes the API as clients see it rather than as the validator does: unknown fields are dropped instead of rejected,
 * fields that a use case requires (`RequiredByUseCase`) are required, and the values that it accepts (`Known`) are listed.
 */
function described(schema: Json): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-required': _, 'x-values': values, 'x-documented': documented, ...rest } = value as Json;
    const { 'x-one-required': alternatives, 'x-component': __, ...inner } = rest;
    if (documented) return walk(documented);
    if (values) inner.enum = values;
    if (alternatives) inner.anyOf = (alternatives as string[]).map((name) => ({ required: [name] }));
    if (inner.additionalProperties === false) delete inner.additionalProperties;
    const properties = Object.entries((inner.properties ?? {}) as Record<string, Json>);
    const required = properties.filter(([, property]) => property['x-required']).map(([name]) => name);
    if (required.length > 0) inner.required = [...((inner.required as string[] | undefined) ?? []), ...required];
    return inside(inner, walk);
  };
  return walk(schema) as Json;
}

/** Schemas that differ only in key order and their own annotations have the same key. */
function keyOf(schema: Json): string {
  const own = Object.entries(schema).filter(([key]) => !ANNOTATIONS.includes(key));
  return JSON.stringify(Object.fromEntries(own), (_key, value) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}

/** The name of a page's items, or null if this is not a page. */
function pageItem({ type, properties }: Json): string | null {
  if (type !== 'object' || !/^items,cursor(,total)?$/.test(Object.keys(properties ?? {}).join())) return null;
  const { items } = properties as { items: { items?: { $ref?: string } } };
  return items.items?.$ref?.split('/').at(-1) ?? null;
}
