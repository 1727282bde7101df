/** Limits how much memory slow clients can use, and for how long. Writing a large response takes milliseconds, so clients take turns. */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { addressKey } from '../../shared/text/address-key.ts';
import type { App } from '../app.ts';
import { createInFlight } from './in-flight.ts';
import type { TakeTurn } from './pipelining.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** A client that neither reads nor sends for this long is disconnected. */
    stallMs: number;
  }
  interface FastifyContextConfig {
    /** Whether the handler reads the body as a stream, in constant memory. */
    streamsBody?: boolean;
  }
}

const MIB = 1024 * 1024;
/** Smaller responses and bodies fit into the system's socket buffers. */
const LARGE_RESPONSE = 65_536;
const LARGE_BODY = 16_384;
const RESPONSES = { max: 64 * MIB, maxPerAddress: 64 * MIB };
const BODIES = { max: 64 * MIB, maxPerAddress: 32 * MIB };

/** Closes an endless response if the client does not read it. */
export function closeIfStalled(response: ServerResponse, stallMs: number): void {
  let isBlocked = false;
  const timer = setInterval(() => {
    if (isBlocked && response.writableNeedDrain) response.destroy();
    isBlocked = response.writableNeedDrain;
  }, stallMs);
  response.on('drain', () => {
    isBlocked = false;
  });
  response.once('close', () => clearInterval(timer));
}

export function limitSlowClients(app: App, takeTurn: TakeTurn): void {
  const responses = createInFlight(RESPONSES);
  const bodies = createInFlight(BODIES);

  // Counts the bytes of a body from its first byte until all of it has arrived.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const isLarge = encoding !== undefined || Number(length ?? 0) > LARGE_BODY;
    if (isLarge && !request.routeOptions.config.streamsBody) {
      const { add, release } = bodies.track(request.raw.socket, addressKey(request.ip));
      // The parser starts to listen before the first chunk is emitted.
      payload.on('data', (chunk: Buffer) => add(chunk.length)).once('end', release);
      reply.raw.once('close', release);
    }
    done(null, payload);
  });

  // Node restarts the timeout on every write, and sets its own once the response is complete.
  app.addHook('onSend', (request, reply, payload, done) => {
    const socket: unknown = request.raw.socket;
    // The client has already disconnected, or the storefront called a route in this process.
    if (!(socket instanceof Socket)) return done();
    socket.setTimeout(app.stallMs);
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (bytes > LARGE_RESPONSE) {
      const { add, release } = responses.track(socket, addressKey(request.ip));
      reply.raw.once('close', release);
      add(bytes);
      return takeTurn(request.raw, done);
    }
    done();
  });
}
