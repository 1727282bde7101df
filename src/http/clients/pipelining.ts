import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../../shared/text/address-key.ts';
import type { App } from '../app.ts';
import { runRequest } from './request-work.ts';
import { createTurns, type Origin } from './turns.ts';

/** Maximum pipelined requests per connection. */
const MAX_PIPELINED = 6;
/** The result of `onIncoming` that makes Node's parser skip the rest of the data. */
const STOP = 2;

/** Runs work for a request now, or in a later turn of the event loop if this turn's time is used up. */
export type TakeTurn = (request: IncomingMessage, work: () => void) => void;

type Parser = { onIncoming(request: IncomingMessage, keepsAlive: boolean): number };

/**
 * Handles the requests on a connection one at a time, and lets connections take turns, so that a client that
 * pipelines requests or opens many connections can't occupy the process. Requests wait before Fastify sees them,
 * because that is most of their cost. Disconnects a client that pipelines too many. Returns a function for further slow
 * work of a request.
 */
export function serializePipelined({ server }: App, trustProxy: number): TakeTurn {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const startInTurn = createTurns();
  const takeTurn: TakeTurn = (request, work) => startInTurn(originOf(request, trustProxy), work);
  const [handle] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('connection', stopWhenClosed);
  server.on('request', (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    if (queue.length === MAX_PIPELINED) return void socket.destroy();
    queues.set(socket, queue);
    queue.push(() => {
      if (!socket.destroyed) runRequest(request, () => handle!(request, response));
    });
    response.once('close', () => {
      queue.shift();
      const [next] = queue;
      if (next) setImmediate(takeTurn, request, next);
    });
    if (queue.length === 1) takeTurn(request, queue[0]!);
  });
  return takeTurn;
}

/**
 * The token is not checked yet, so a client can make up many. Behind proxies, the address is the one that the outermost trusted proxy got
 * the request from.
 */
function originOf({ headers, socket }: IncomingMessage, trustProxy: number): Origin {
  const forwarded = trustProxy > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  const address = forwarded.at(-trustProxy)?.trim() || forwarded[0]?.trim() || socket.remoteAddress || '';
  return { address: addressKey(address), caller: headers.authorization ?? String(headers['x-api-key'] ?? '') };
}

/** A chunk can contain thousands of requests, which Node would keep parsing after the connection is closed. */
function stopWhenClosed(socket: Socket): void {
  const { parser } = socket as Socket & { parser: Parser };
  const onIncoming = parser.onIncoming.bind(parser);
  parser.onIncoming = (request, keepsAlive) => (socket.destroyed ? STOP : onIncoming(request, keepsAlive));
}
