import cors from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';

/** Decides which origins can call the API. */
export type OriginCheck = {
  isAllowed: (origin: string) => boolean;
  /** Whether an origin that is not allowed in general may make this call. */
  mayCall: (origin: string, method: string, path: string) => boolean;
};

const OPTIONS = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-match',
    'souk-cart-secret',
    'souk-lsn',
    'souk-step-up',
    'x-api-key',
    'x-request-id',
  ],
  exposedHeaders: 'etag, retry-after, souk-ignored, souk-lsn, x-request-id',
  maxAge: 600,
  credentials: false,
  // Accept a preflight without a method, because the plugin's error is not in our error format.
  strictPreflight: false,
};

/** Enables CORS for allowed origins. Tokens are sent in headers, so no request needs credentials. */
export async function allowOrigins(app: App, check: OriginCheck): Promise<void> {
  const isOpen = ({ headers, method, url }: FastifyRequest) => {
    const { origin, 'access-control-request-method': requested = '' } = headers;
    if (origin === undefined) return false;
    if (check.isAllowed(origin)) return true;
    return check.mayCall(origin, method === 'OPTIONS' ? requested : method, url.split('?', 1)[0]!);
  };
  await app.register(cors, {
    delegator: (request, callback) => callback(null, { ...OPTIONS, origin: isOpen(request) }),
  });
}
