/** Files that list every record, such as sitemaps. They are expensive, so few are written at a time. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { createBound } from '../shared/bound.ts';
import { addressKey } from '../shared/text/address-key.ts';

const MAX = 8;
/** Limits per business and per client leave capacity for others. */
const MAX_PER = { business: 2, address: 2 };
/** The total time that a file waits for its client. Only a client that reads slowly on purpose, to block others, needs longer. */
const MAX_WAIT_MS = 120_000;

export function createFileStreams(maxWaitMs = MAX_WAIT_MS) {
  const streams = createBound({ max: MAX, maxPer: MAX_PER });

  return (reply: FastifyReply, businessId: string, type: string, chunks: AsyncGenerator<string>): FastifyReply => {
    const leave = streams.enter({ business: businessId, address: addressKey(reply.request.ip) });
    if (!leave) return reply.code(503).header('retry-after', 5).send();
    const tooSlow = () => void body.destroy(new Error('The client reads too slowly'));
    const body: Readable = Readable.from(limitWaits(chunks, maxWaitMs, tooSlow), {
      objectMode: false,
      highWaterMark: 65_536,
    });
    body.once('close', leave);
    reply.header('content-type', type).header('cache-control', 'public, max-age=0, s-maxage=3600');
    return reply.send(body);
  };
}

/** Calls `tooSlow` when the chunks have waited too long to be read. The time to write them doesn't count: it depends on the records. */
async function* limitWaits(chunks: AsyncGenerator<string>, maxWaitMs: number, tooSlow: () => void) {
  let leftMs = maxWaitMs;
  for await (const chunk of chunks) {
    const since = performance.now();
    const timer = setTimeout(tooSlow, Math.max(leftMs, 0));
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
    leftMs -= performance.now() - since;
  }
}
