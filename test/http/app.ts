/** The HTTP layer alone, with routes that a test adds: every token is its own user's. */
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { type App, createServer, type ServerOptions } from '../../src/http/server.ts';

export async function startServer(routes: (app: App) => void, options: Partial<ServerOptions> = {}) {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    gate: {
      authenticate: (token) => ({
        userId: token,
        provider: 'EMAIL',
        email: null,
        isGuest: false,
        isConfirmed: true,
        sessionId: null,
        permissions: new Map(),
      }),
      businessExists: () => true,
    },
    trustProxy: 0,
    isAllowedOrigin: (origin) => origin === 'https://shop.example',
    https: false,
    ...options,
  });
  routes(app);
  await app.listen({ port: 0 });
  const address = (app as unknown as FastifyInstance).server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { app, port, url: `http://127.0.0.1:${port}`, stop: () => app.close() };
}
