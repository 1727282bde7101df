import type { App } from './server.ts';

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, x-api-key, x-request-id',
  'access-control-max-age': '600',
};

/** Lets browsers on allowed origins call us. Requests without an Origin, which are most, pay nothing for it. */
export function allowOrigins(app: App, isAllowed: (origin: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && isAllowed(origin)) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', 'etag, retry-after, x-request-id');
    }
    done();
  });
  app.options('/*', { config: { access: 'public' } }, (_request, reply) => {
    const allowed = reply.hasHeader('access-control-allow-origin');
    return reply
      .code(204)
      .headers(allowed ? PREFLIGHT : {})
      .send();
  });
}
