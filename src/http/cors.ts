import cors from '@fastify/cors';
import type { App } from './server.ts';

/** Lets browsers on allowed origins call us. Tokens travel in headers, so no request ever needs credentials. */
export async function allowOrigins(app: App, isAllowed: (origin: string) => boolean): Promise<void> {
  await app.register(cors, {
    origin: (origin, callback) => callback(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'x-api-key', 'x-request-id'],
    exposedHeaders: 'etag, retry-after, souk-ignored, x-request-id',
    maxAge: 600,
    credentials: false,
    // A preflight that names no method is answered like any other: the plugin's refusal is not in our error model.
    strictPreflight: false,
  });
}
