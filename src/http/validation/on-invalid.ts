import type { FastifyRequest, RouteOptions } from 'fastify';
import { type FieldError, invalid, type ServiceError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { MAX_DETAILS } from './field-errors.ts';
import { isComplete } from './validation.ts';

/** A validation error. Fastify adds the part of the request that failed. */
type SchemaError = ServiceError & { validationContext?: 'body' | 'params' | 'querystring' | 'headers' };

/** Returns the error for a request that fails its schema, or null to accept the request. */
export type OnInvalid = (request: FastifyRequest, error: SchemaError) => Error | null | Promise<Error | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** By default, the response contains the schema's errors. */
    onInvalid?: OnInvalid;
  }
}

/**
 * Runs `onInvalid` of a route before its handler. With Fastify's `attachValidation`, a handler also gets invalid requests and
 * must check for them, so only this function sets it.
 */
export function checkInvalid(route: RouteOptions): void {
  if (route.attachValidation) {
    throw new Error(`${route.method} ${route.url} must not set attachValidation: use config.onInvalid.`);
  }
  const onInvalid = route.config?.onInvalid;
  if (!onInvalid) return;
  route.attachValidation = true;
  const check = async (request: FastifyRequest) => {
    if (!request.validationError) return;
    const error = await onInvalid(request, request.validationError as unknown as SchemaError);
    if (error) throw error;
  };
  route.preHandler = [check, ...[route.preHandler ?? []].flat()];
}

type Body = Record<string, unknown>;

/**
 * For bodies with rules that a schema can't express. Adds the errors from `find` to the schema's errors, so that the client
 * sees all invalid fields at once. `find` gets the body as sent, and a copy without the fields that fail the schema.
 */
export function addErrors(
  find: (request: FastifyRequest, sent: Body, valid: Body) => FieldError[] | Promise<FieldError[]>,
): OnInvalid {
  return async (request, error) => {
    const { body } = request;
    if (error.validationContext !== 'body' || !isRecord(body)) return error;
    if (!isComplete(body, error.details)) return error;
    const known = new Set(error.details.map(({ field }) => field));
    const added = await find(request, body, withoutFields(body, known));
    return invalid([...error.details, ...added.filter(({ field }) => !known.has(field))].slice(0, MAX_DETAILS));
  };
}

/** A copy without these fields. A removed list item becomes an empty object, so that the others keep their positions. */
function withoutFields(body: Body, fields: Iterable<string>): Body {
  const copy = structuredClone(body);
  for (const field of fields) {
    const path = field.split(/[.[\]]+/).filter((part) => part !== '');
    const last = path.pop()!;
    let at: unknown = copy;
    for (const part of path) at = (at as Body | undefined)?.[part];
    if (Array.isArray(at)) at[Number(last)] = {};
    else if (isRecord(at)) delete at[last];
  }
  return copy;
}
