import type { FastifyReply } from 'fastify';

/** A signal that is aborted when the client closes the connection. */
export function closing({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
