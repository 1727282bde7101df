/** Clients that read or write slowly take memory and connections: how much they may take, and for how long. */
import type { Socket } from 'node:net';
import { createInFlight } from './in-flight.ts';
import type { App } from './server.ts';

/** Smaller ones fit into the buffers of the system. */
const LARGE_ANSWER = 65_536;
const LARGE_BODY = 16_384;
const ANSWERS_LIMIT = 64 * 1024 * 1024;
const BODIES_LIMIT = 64 * 1024 * 1024;
/** Requests that a client may send ahead on one connection without reading the answers. */
const MAX_PIPELINED = 16;

/** `stallMs`: a client that takes nothing of its answer for this long is cut. */
export function limitSlowClients(app: App, { stallMs, bodyLimit }: { stallMs: number; bodyLimit: number }): void {
  const answers = createInFlight(ANSWERS_LIMIT);
  const bodies = createInFlight(BODIES_LIMIT);
  const underWay = new WeakMap<Socket, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (underWay.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    underWay.set(socket, count);
    reply.raw.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    done();
  });

  // A body counts with all that it may grow to, from before its first byte until it has arrived.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const declared = length === undefined ? (encoding === undefined ? 0 : bodyLimit) : Number(length);
    if (declared > LARGE_BODY) {
      const release = bodies.add(request.raw.socket, Math.min(declared, bodyLimit));
      payload.once('end', release);
      payload.once('close', release);
    }
    done(null, payload);
  });

  // Node starts the time again whenever some of the answer has left, and sets its own once all of it has.
  app.addHook('onSend', (request, reply, payload, done) => {
    const socket: Socket | null = request.raw.socket;
    // The connection is gone already.
    if (!socket) return done();
    socket.setTimeout(stallMs);
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes > LARGE_ANSWER) reply.raw.once('close', answers.add(socket, bytes));
    done();
  });
}
