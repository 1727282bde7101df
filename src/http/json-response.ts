import type { FastifyReply } from 'fastify';
import type { Page } from '../shared/paging.ts';
import type { SerializedJson } from '../shared/records/serializer.ts';

/** Sends a response that is already serialized. */
export const sendJson = (reply: FastifyReply, body: SerializedJson) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

/** A page of responses that are already serialized, and other fields. */
type SerializedPage = Page<SerializedJson> & Record<string, unknown>;

/** Sends a page. The serializer of the route selects its other fields. */
export function sendPage(reply: FastifyReply, { items, ...page }: SerializedPage) {
  const frame = String(reply.serialize({ ...page, items: [] }));
  if (!frame.startsWith(EMPTY)) throw new Error('The schema of a page must start with its items.');
  const parts: Uint8Array[] = [START];
  for (const item of items) parts.push(item, COMMA);
  if (items.length > 0) parts.pop();
  parts.push(Buffer.from(frame.slice(EMPTY.length - 1)));
  return sendJson(reply, Buffer.concat(parts) as SerializedJson);
}

const EMPTY = '{"items":[]';
const START = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');
