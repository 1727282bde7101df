import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyKey } from '../db/idempotency.ts';
import { invalidField } from '../shared/errors.ts';
import { businessIdOf } from './access.ts';

/** Null if the request has no key, or the route accepts none. */
export function idempotencyKey(request: FastifyRequest, nowSeconds: number): IdempotencyKey | null {
  if (!request.routeOptions.config.idempotent) return null;
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField(
      'Idempotency-Key',
      'INVALID_FORMAT',
      'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.',
    );
  }
  const businessId = businessIdOf(request) ?? '';
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('base64url');
  return { businessId, userId: request.caller.userId, key, fingerprint, nowSeconds };
}
