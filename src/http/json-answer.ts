import type { FastifyReply } from 'fastify';

/**
 * Records are stored as the JSON that is answered. It goes from the database to the client as the bytes it is: decoding and
 * encoding a page of it would cost more than all the rest of the request.
 */
export const sendJson = (reply: FastifyReply, body: Buffer) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

const START = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');

export function pageOf(items: readonly Buffer[], cursor: string | null): Buffer {
  const parts: Uint8Array[] = [START];
  for (const item of items) parts.push(item, COMMA);
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(`],"cursor":${JSON.stringify(cursor)}}`));
  return Buffer.concat(parts);
}
