/**
 * `Souk-LSN`: a client that sends back the position after its last write sees that write, even if a read replica serves the request. Only with a
 * replica: see `db/replica.ts`.
 */
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';

const LSN = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/i;

/** Adds the position after all writes of this process to the response to each request that may have written. */
export function reportPosition(app: App, latestLsn: () => string): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.method !== 'GET') reply.header('souk-lsn', latestLsn());
    done();
  });
}

/** The position that the client has seen. Null without one. Undefined for any other value: the primary serves the request. */
export function positionOf({ headers }: FastifyRequest): string | null | undefined {
  const sent = headers['souk-lsn'];
  if (sent === undefined) return null;
  return typeof sent === 'string' && LSN.test(sent) ? sent : undefined;
}

/** For calls from the server to itself, whose results may be cached. */
export const FROM_PRIMARY = { 'souk-lsn': 'primary' };
