import type { FastifyReply } from 'fastify';
import type { Page } from '../shared/paging.ts';
import type { SerializedJson } from '../shared/records/serializer.ts';

/** Sends a response that is already serialized. */
export const sendJson = (reply: FastifyReply, body: SerializedJson) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

export const sendPage = (reply: FastifyReply, page: Page<SerializedJson>) => sendJson(reply, pageOf(page));

const START = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');

function pageOf({ items, cursor, total }: Page<SerializedJson>): SerializedJson {
  const parts: Uint8Array[] = [START];
  for (const item of items) parts.push(item, COMMA);
  if (items.length > 0) parts.pop();
  const end = total === undefined ? '}' : `,"total":${total}}`;
  parts.push(Buffer.from(`],"cursor":${JSON.stringify(cursor)}${end}`));
  return Buffer.concat(parts) as SerializedJson;
}
