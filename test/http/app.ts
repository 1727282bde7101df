/** The HTTP layer alone, with routes added by the test. Every token is the ID of its own user. */
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import Type from 'typebox';
import { type App, createServer, type ServerOptions } from '../../src/http/server.ts';
import { NO_FACTORS } from '../../src/shared/security/caller.ts';
import { caller } from '../call.ts';

export async function startServer(routes: (app: App) => void, options: Partial<ServerOptions> = {}) {
  const app = await createServer({
    log: pino({ level: 'silent' }),
    access: {
      authenticate: (token) => ({
        userId: token,
        provider: 'EMAIL',
        email: null,
        isGuest: false,
        isConfirmed: true,
        name: '',
        sessionId: null,
        keyId: null,
        factors: NO_FACTORS,
        permissions: new Map(),
      }),
      businessExists: () => true,
      recordRoleUse: () => undefined,
    },
    contexts: undefined as never,
    trustProxy: 0,
    origins: { isAllowed: (origin) => origin === 'https://shop.example', mayCall: () => false },
    https: false,
    ...options,
  });
  // A route of a test can send anything.
  app.addHook('onRoute', (route) => {
    route.schema = { response: { 200: Type.Unknown() }, ...route.schema };
  });
  routes(app);
  await app.listen({ port: 0 });
  const address = (app as unknown as FastifyInstance).server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const stop = () => {
    app.server.closeAllConnections();
    return app.close();
  };
  return { app, port, url, call: caller(url), stop };
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
export async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  let response = '';
  for await (const chunk of socket) response += chunk;
  return response;
}
