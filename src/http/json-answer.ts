import type { FastifyReply } from 'fastify';
import type { Page } from '../shared/paging.ts';

/**
 * Records are stored as the JSON that is answered. It goes from the database to the client as it is: parsing and writing a page
 * of it would cost more than all the rest of the request.
 */
export const sendJson = (reply: FastifyReply, body: Buffer) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

export const sendPage = (reply: FastifyReply, { items, cursor }: Page<Buffer>) =>
  sendJson(reply, pageOf(items, cursor));

const START = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');

function pageOf(items: readonly Buffer[], cursor: string | null): Buffer {
  const parts: Uint8Array[] = [START];
  for (const item of items) parts.push(item, COMMA);
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(`],"cursor":${JSON.stringify(cursor)}}`));
  return Buffer.concat(parts);
}
