import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { handleBrokenRequest, RequestTimeout } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit for receiving the body, if longer than the default. */
    bodyMs?: number;
  }
}

/**
 * Disconnects a client that has not sent the whole body in time. Node has a single limit per server, but file uploads need
 * longer than JSON, so each route has its own limit. Calls within the process have no connection.
 */
export const limitBodyTime =
  (defaultMs: number) =>
  ({ raw, routeOptions }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
    if (hasBody && raw.socket instanceof Socket) {
      const timer = setTimeout(() => disconnect(raw.socket, reply), routeOptions.config.bodyMs ?? defaultMs);
      const finish = () => {
        clearTimeout(timer);
        raw.socket.off('close', finish);
      };
      raw.once('end', finish).once('close', finish);
      // A response sent before the request body arrived emits no event when the client disconnects.
      raw.socket.once('close', finish);
    }
    done();
  };

function disconnect(socket: Socket, reply: FastifyReply): void {
  if (reply.raw.headersSent) socket.destroy();
  else handleBrokenRequest(new RequestTimeout(), socket);
}
