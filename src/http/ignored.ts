import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';

const MAX_FIELDS = 20;
const MAX_HEADER = 4000;
const MAX_NAME = 100;
/** Values that are looked at: a larger body is not worth the time. */
const MAX_VALUES = 20_000;

/** What records carry that only the service writes. Whatever else the answer of the same route holds is added to them. */
const SERVER_OWNED = ['id', 'businessId', 'createdAt', 'updatedAt', 'etag', 'version'];

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] } & Record<
  string,
  unknown
>;
type Found = { fields: string[]; left: number };
type Walk = (value: unknown, path: string, found: Found) => void;

/**
 * Lists the fields of a body that its schema does not know and that are therefore ignored, so that a misspelt one is noticed.
 * What the same route answers may be sent back whole: those fields are the service's own, and not listed. Null: nothing of this
 * schema is ever ignored.
 */
export function compileIgnored(schema: FastifySchema | undefined): ((body: unknown) => string[]) | null {
  const answer = (schema?.response as Record<string, Schema> | undefined)?.[200];
  const walk = schema?.body ? compile(schema.body as Schema, answer) : null;
  if (!walk) return null;
  return (body) => {
    const found: Found = { fields: [], left: MAX_VALUES };
    walk(body, '', found);
    return found.fields;
  };
}

function compile(schema: Schema, answer: Schema | undefined): Walk | null {
  if (schema.anyOf) {
    const walks = schema.anyOf.map((branch) => compile(branch, answer)).filter((walk) => walk !== null);
    return walks.length === 1 ? walks[0]! : null;
  }
  if (schema.type === 'array') {
    const walk = schema.items ? compile(schema.items, partOf(answer)?.items) : null;
    return walk && ((value, path, found) => Array.isArray(value) && walkItems(value, path, found, walk));
  }
  return schema.properties ? compileObject(schema, partOf(answer)?.properties ?? {}) : null;
}

function walkItems(items: unknown[], path: string, found: Found, walk: Walk): void {
  for (let i = 0; i < items.length && found.left > 0; i++) walk(items[i], `${path}[${i}]`, found);
}

function compileObject(
  { properties = {}, additionalProperties }: Schema,
  answered: Record<string, Schema>,
): Walk | null {
  const inner = new Map<string, Walk | null>();
  for (const name of [...SERVER_OWNED, ...Object.keys(answered)]) inner.set(name, null);
  for (const [name, property] of Object.entries(properties)) inner.set(name, compile(property, answered[name]));
  const isClosed = additionalProperties === false;
  if (!isClosed && [...inner.values()].every((walk) => walk === null)) return null;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const name in value) {
      if (--found.left < 0 || found.fields.length === MAX_FIELDS) return;
      const walk = inner.get(name);
      if (walk) walk((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name, found);
      else if (walk === undefined && isClosed) found.fields.push(written(path, name));
    }
  };
}

const written = (path: string, name: string) => {
  const short = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
  return path ? `${path}.${short}` : short;
};

/** Of a union, the part that has fields or entries. */
const partOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf ? schema.anyOf.find((branch) => branch.properties ?? branch.items) : schema;

/** Tells in `Souk-Ignored` what of the body was ignored, and in the log when `warns`. Comes before the body is checked. */
export function reportIgnored(warns: boolean) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const find = request.routeOptions.config.findIgnored?.();
    const fields = find && typeof request.body === 'object' ? find(request.body) : [];
    if (fields.length > 0) {
      reply.header('souk-ignored', fields.join(', ').slice(0, MAX_HEADER));
      const { method, url } = request.routeOptions;
      if (warns) request.log.warn({ fields, requestId: request.id }, `${method} ${url} does not know these fields`);
    }
    done();
  };
}
