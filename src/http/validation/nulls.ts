/** Null clears an optional field of a body. */

export type BodySchema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, BodySchema>;
  required?: string[];
  items?: BodySchema;
  anyOf?: BodySchema[];
  minLength?: number;
  minItems?: number;
  pattern?: string;
};

/**
 * A null in an optional field clears it, even where the schema does not accept null. In an update, a string or a list becomes empty.
 * Everywhere else, the field is removed: new records, and objects and lists that replace the previous ones. Returns whether the
 * value has changed.
 */
export function clearNulls(schema: BodySchema, value: unknown, isUpdate: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { items, properties = {}, required = [] } = branchOf(schema);
  let hasChanged = false;
  if (Array.isArray(value)) {
    if (items) for (const item of value) hasChanged = clearNulls(items, item, false) || hasChanged;
    return hasChanged;
  }
  const body = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties)) {
    if (body[name] !== null) hasChanged = clearNulls(property, body[name], false) || hasChanged;
    else if (!required.includes(name) && isClearable(property, isUpdate)) {
      if (isUpdate) body[name] = emptyValue(property);
      else delete body[name];
      hasChanged = true;
    }
  }
  return hasChanged;
}

/** The schema itself, or the branch of a union with properties or items, if there is only one. */
function branchOf(schema: BodySchema): BodySchema {
  if (schema.properties) return schema;
  const branches = schema.anyOf?.filter(({ properties, items }) => properties ?? items) ?? [schema];
  return branches.length === 1 ? branches[0]! : {};
}

const acceptsNull = ({ $ref, type, anyOf = [] }: BodySchema): boolean =>
  type === 'null' || (!$ref && type === undefined && anyOf.length === 0) || anyOf.some(acceptsNull);

/** Whether an optional field accepts null although its schema does not. */
const isClearable = (property: BodySchema, isUpdate: boolean) =>
  !acceptsNull(property) && (!isUpdate || emptyValue(property) !== undefined);

/** Undefined if the field can't be empty. */
function emptyValue({ type, enum: values, minLength = 0, minItems = 0, pattern }: BodySchema): unknown {
  if (type === 'array' && minItems === 0) return [];
  if (type !== 'string' || values || minLength > 0) return undefined;
  // At most 0 characters: the empty text.
  return !pattern || new RegExp(pattern, 'u').test('') ? '' : undefined;
}

type Components = Record<string, BodySchema>;
type Paths = Record<string, Record<string, { requestBody?: Body; responses: object }>>;
type Body = { content: Record<string, { schema: BodySchema }> };

/**
 * Documents the nulls that `clearNulls` accepts. A schema that is also part of a response, which has no such nulls, gets a copy
 * for requests: `MarketInput` is a `Market`.
 */
export function describeNulls(paths: Paths, components: Components): void {
  const operations = Object.values(paths).flatMap((path) => Object.entries(path));
  const returned = new Set<string>();
  for (const [, { responses }] of operations) collectNames(responses, components, returned);
  const described = new Set<string>();

  function describe(schema: BodySchema, isUpdate: boolean): void {
    const name = nameOf(schema);
    if (name !== undefined) {
      const own = returned.has(name) ? `${name}Input` : name;
      schema.$ref = `#/components/schemas/${own}`;
      if (described.has(own)) return;
      described.add(own);
      if (own !== name) components[own] = structuredClone(components[name]!);
      describe(components[own]!, isUpdate);
      return;
    }
    for (const branch of schema.anyOf ?? []) if (nameOf(branch)) describe(branch, false);
    const { items, properties = {}, required = [] } = branchOf(schema);
    if (items) describe(items, false);
    for (const [key, property] of Object.entries(properties)) {
      describe(property, false);
      const takesNull = !required.includes(key) && isClearable(property, isUpdate);
      if (takesNull) properties[key] = { anyOf: [property, { type: 'null' }] };
    }
  }

  // An update accepts fewer nulls than a new record. A schema for both documents those that both accept.
  const bodies = operations.map(([method, { requestBody }]) => ({
    isUpdate: method === 'put',
    schema: requestBody?.content['application/json']?.schema,
  }));
  for (const { isUpdate, schema } of bodies.sort((a, b) => Number(b.isUpdate) - Number(a.isUpdate))) {
    if (schema) describe(schema, isUpdate);
  }
}

const nameOf = ({ $ref }: BodySchema) => $ref?.split('/').at(-1);

function collectNames(value: unknown, components: Components, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const name = nameOf(value as BodySchema);
  if (name !== undefined && components[name] && !names.has(name)) {
    names.add(name);
    collectNames(components[name], components, names);
  }
  for (const inner of Object.values(value)) collectNames(inner, components, names);
}
