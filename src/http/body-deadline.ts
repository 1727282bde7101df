import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { answerBrokenRequest } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the body of a request may take to arrive, where that is longer than usual. */
    bodyMs?: number;
  }
}

/**
 * A client that has not sent the whole body by then is cut off. Node has one time limit for a whole server; files need longer than
 * JSON, so the limit is that of the route.
 */
export const limitBodyTime =
  (usualMs: number) =>
  ({ raw, routeOptions }: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding !== undefined || (length !== undefined && length !== '0')) {
      const timer = setTimeout(() => cutOff(raw.socket, reply), routeOptions.config.bodyMs ?? usualMs);
      const over = () => {
        clearTimeout(timer);
        raw.socket.off('close', over);
      };
      raw.once('end', over).once('close', over);
      // A request that was answered before its body came tells nothing when the client goes away then.
      raw.socket.once('close', over);
    }
    done();
  };

function cutOff(socket: Socket, reply: FastifyReply): void {
  if (reply.raw.headersSent) socket.destroy();
  else answerBrokenRequest(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}
