import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';

const MAX_FIELDS = 20;
const MAX_HEADER = 4000;
const MAX_NAME = 100;
/** Maximum values to check. Larger bodies are checked only in part. */
const MAX_VALUES = 20_000;

/** Read-only fields of every record. The other fields in the route's response are added to them. */
const SERVER_OWNED = ['id', 'businessId', 'createdAt', 'updatedAt', 'etag', 'version'];

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] } & Record<
  string,
  unknown
>;
type Found = { fields: string[]; left: number };
type Walk = (value: unknown, path: string, found: Found) => void;

/**
 * Lists unknown fields in a body, so that clients notice typos. Clients can send back a whole record, so fields in the route's
 * response are not listed. Null if the schema ignores no fields.
 */
export function compileIgnored(schema: FastifySchema | undefined): ((body: unknown) => string[]) | null {
  const response = (schema?.response as Record<string, Schema> | undefined)?.[200];
  const walk = schema?.body ? compile(schema.body as Schema, response) : null;
  if (!walk) return null;
  return (body) => {
    const found: Found = { fields: [], left: MAX_VALUES };
    walk(body, '', found);
    return found.fields;
  };
}

function compile(schema: Schema, response: Schema | undefined): Walk | null {
  if (schema.anyOf) {
    const walks = schema.anyOf.map((branch) => compile(branch, response)).filter((walk) => walk !== null);
    return walks.length === 1 ? walks[0]! : null;
  }
  if (schema.type === 'array') {
    const walk = schema.items ? compile(schema.items, partOf(response)?.items) : null;
    return walk && ((value, path, found) => Array.isArray(value) && walkItems(value, path, found, walk));
  }
  return schema.properties ? compileObject(schema, partOf(response)?.properties ?? {}) : null;
}

function walkItems(items: unknown[], path: string, found: Found, walk: Walk): void {
  for (let i = 0; i < items.length && found.left > 0; i++) walk(items[i], `${path}[${i}]`, found);
}

function compileObject(
  { properties = {}, additionalProperties }: Schema,
  returned: Record<string, Schema>,
): Walk | null {
  const inner = new Map<string, Walk | null>();
  for (const name of [...SERVER_OWNED, ...Object.keys(returned)]) inner.set(name, null);
  for (const [name, property] of Object.entries(properties)) inner.set(name, compile(property, returned[name]));
  const isClosed = additionalProperties === false;
  if (!isClosed && [...inner.values()].every((walk) => walk === null)) return null;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const name in value) {
      if (--found.left < 0 || found.fields.length === MAX_FIELDS) return;
      const walk = inner.get(name);
      if (walk) walk((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name, found);
      else if (walk === undefined && isClosed) found.fields.push(fieldPath(path, name));
    }
  };
}

const fieldPath = (path: string, name: string) => {
  const short = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
  return path ? `${path}.${short}` : short;
};

/**
 * Lists unknown query parameters. A list can also be sent as `name[]`, and `filter[…]`, `option:…` and `block:…` have a parameter per name. Null for routes
 * without a schema, such as pages.
 */
export function compileUnknown(
  schema: FastifySchema | undefined,
  alsoReads: readonly string[] = [],
): ((query: unknown) => string[]) | null {
  if (!schema) return null;
  const known = new Set([...Object.keys((schema.querystring as Schema | undefined)?.properties ?? {}), ...alsoReads]);
  const isKnown = (name: string) =>
    known.has(name) ||
    (name.endsWith('[]') && known.has(name.slice(0, -2))) ||
    (name.startsWith('filter[') && known.has('filter[blockId]')) ||
    (name.startsWith('option:') && known.has('option:name')) ||
    (name.startsWith('block:') && known.has('block:id'));
  return (query) =>
    Object.keys(query as object)
      .filter((name) => !isKnown(name))
      .slice(0, MAX_FIELDS)
      .map((name) => fieldPath('', name));
}

/** The branch of a union that has properties or items. */
const partOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf ? schema.anyOf.find((branch) => branch.properties ?? branch.items) : schema;

/** Lists unknown query parameters and ignored fields in `Souk-Ignored` and, if `isLogged`, in the log. Runs before validation, which removes them. */
export function reportIgnored(isLogged: boolean) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { findIgnored, findUnknown } = request.routeOptions.config;
    const find = findIgnored?.();
    const unknown = request.url.includes('?') ? (findUnknown?.()?.(request.query) ?? []) : [];
    const ignored = find && typeof request.body === 'object' ? find(request.body) : [];
    const fields = [...unknown, ...ignored].slice(0, MAX_FIELDS);
    if (fields.length > 0) {
      reply.header('souk-ignored', fields.join(', ').slice(0, MAX_HEADER));
      const { method, url } = request.routeOptions;
      if (isLogged) request.log.warn({ fields, requestId: request.id }, `${method} ${url} ignored unknown fields`);
    }
    done();
  };
}
