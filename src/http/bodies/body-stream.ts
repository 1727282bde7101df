import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { requireAccess } from '../access.ts';
import { handleBrokenRequest, RequestTimeout } from '../errors.ts';

/** Access is checked again each time this many bytes have arrived. */
const SLICE_BYTES = 1_048_576;
/** A client that sends less than this within the stall time is disconnected, so that it can't occupy an upload slot. */
const MIN_BYTES = 65_536;

/**
 * The body of a request as a stream. Checks the caller's access again after each slice and at the end. `check`: an additional
 * check, for routes that any token may call. An error in the stream keeps the request alive, so that a response can be sent; the
 * rest of the body is discarded.
 */
export function bodyStream(request: FastifyRequest, check: () => void = () => {}): Readable {
  const { raw } = request;
  let unchecked = 0;
  let received = 0;
  const recheck = () => requireAccess(request).then(check);
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unchecked += chunk.length;
      received += chunk.length;
      if (unchecked < SLICE_BYTES) return done(null, chunk);
      unchecked = 0;
      recheck().then(() => done(null, chunk), done);
    },
    flush(done) {
      recheck().then(() => done(), done);
    },
  });
  const disconnect = () => void (raw.readableEnded || body.destroy(new Error('The client disconnected')));
  const timer = setInterval(() => {
    // The handler is slower than the client.
    if (body.writableNeedDrain) return;
    if (received < MIN_BYTES) handleBrokenRequest(new RequestTimeout(), raw.socket);
    received = 0;
  }, request.server.stallMs);
  body.once('close', () => clearInterval(timer));
  // The client can disconnect before anyone reads the stream.
  body.on('error', () => {}).once('close', () => raw.unpipe(body).resume());
  if (raw.destroyed) disconnect();
  else raw.once('close', disconnect).pipe(body);
  return body;
}
