import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './app.ts';

/** Maximum pipelined requests per connection. */
const MAX_PIPELINED = 16;

/**
 * Handles the requests of a connection one at a time. In between, other connections get their turn, so that a client that
 * pipelines requests can't occupy the process. Requests wait before Fastify sees them, because that is most of their cost.
 * Disconnects a client that pipelines too many.
 */
export function serializePipelined({ server }: App): void {
  const queues = new WeakMap<Socket, (() => void)[]>();
  const [handle] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    if (queue.length === MAX_PIPELINED) return void socket.destroy();
    queues.set(socket, queue);
    queue.push(() => handle!(request, response));
    response.once('close', () => {
      queue.shift();
      const [next] = queue;
      if (next && !socket.destroyed) setImmediate(next);
    });
    if (queue.length === 1) queue[0]!();
  });
}
