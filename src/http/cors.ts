import cors from '@fastify/cors';
import type { App } from './app.ts';

/** Enables CORS for allowed origins. Tokens are sent in headers, so no request needs credentials. */
export async function allowOrigins(app: App, isAllowed: (origin: string) => boolean): Promise<void> {
  await app.register(cors, {
    origin: (origin, callback) => callback(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'souk-cart-secret',
      'souk-step-up',
      'x-api-key',
      'x-request-id',
    ],
    exposedHeaders: 'etag, retry-after, souk-ignored, x-request-id',
    maxAge: 600,
    credentials: false,
    // Accept a preflight without a method, because the plugin's error is not in our error format.
    strictPreflight: false,
  });
}
