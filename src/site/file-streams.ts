/** Files that list every record, such as sitemaps. They are expensive, so few are written at a time. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { createBound } from '../shared/bound.ts';
import { addressKey } from '../shared/text/address-key.ts';

const MAX = 8;
/** Limits per business and per client leave capacity for others. */
const MAX_PER = { business: 2, address: 2 };
/** Only a client that reads slowly on purpose, to block others, needs longer. */
const MAX_MS = 120_000;

export function createFileStreams(maxMs = MAX_MS) {
  const streams = createBound({ max: MAX, maxPer: MAX_PER });

  return (reply: FastifyReply, businessId: string, type: string, chunks: AsyncGenerator<string>): FastifyReply => {
    const leave = streams.enter({ business: businessId, address: addressKey(reply.request.ip) });
    if (!leave) return reply.code(503).header('retry-after', 5).send();
    const body = Readable.from(chunks, { objectMode: false, highWaterMark: 65_536 });
    const timer = setTimeout(() => body.destroy(new Error('The client reads too slowly')), maxMs);
    body.once('close', () => {
      clearTimeout(timer);
      leave();
    });
    reply.header('content-type', type).header('cache-control', 'public, max-age=0, s-maxage=3600');
    return reply.send(body);
  };
}
