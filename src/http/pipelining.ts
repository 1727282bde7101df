import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './app.ts';
import { createTurns } from './turns.ts';

/** Maximum pipelined requests per connection. */
const MAX_PIPELINED = 6;
/** The result of `onIncoming` that makes Node's parser skip the rest of the data. */
const STOP = 2;

type Parser = { onIncoming(request: IncomingMessage, keepsAlive: boolean): number };

/**
 * Handles the requests of a connection one at a time, and those of all connections in turns, so that a client that pipelines
 * requests or opens many connections can't occupy the process. Requests wait before Fastify sees them, because that is most of
 * their cost. Disconnects a client that pipelines too many.
 */
export function serializePipelined({ server }: App): void {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const startInTurn = createTurns();
  const [handle] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('connection', stopWhenClosed);
  server.on('request', (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    if (queue.length === MAX_PIPELINED) return void socket.destroy();
    queues.set(socket, queue);
    queue.push(() => {
      if (!socket.destroyed) handle!(request, response);
    });
    response.once('close', () => {
      queue.shift();
      const [next] = queue;
      if (next) setImmediate(startInTurn, callerOf(request), next);
    });
    if (queue.length === 1) startInTurn(callerOf(request), queue[0]!);
  });
}

/** The token, which is not checked yet, or else the address. */
const callerOf = ({ headers, socket }: IncomingMessage): string =>
  headers.authorization ?? String(headers['x-api-key'] ?? socket.remoteAddress);

/** A chunk can contain thousands of requests, which Node would keep parsing after the connection is closed. */
function stopWhenClosed(socket: Socket): void {
  const { parser } = socket as Socket & { parser: Parser };
  const onIncoming = parser.onIncoming.bind(parser);
  parser.onIncoming = (request, keepsAlive) => (socket.destroyed ? STOP : onIncoming(request, keepsAlive));
}
