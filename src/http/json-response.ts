import type { FastifyReply } from 'fastify';
import type { Page } from '../shared/paging.ts';
import type { SerializedJson } from '../shared/records/serializer.ts';

/** Sends a response that is already serialized. */
export const sendJson = (reply: FastifyReply, body: SerializedJson) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

/** A page of responses that are already serialized, and other fields. */
type SerializedPage = Page<SerializedJson> & Record<string, unknown>;

export const sendPage = (reply: FastifyReply, page: SerializedPage) => sendJson(reply, pageOf(page));

const START = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');

function pageOf({ items, cursor, total, ...more }: SerializedPage): SerializedJson {
  const parts: Uint8Array[] = [START];
  for (const item of items) parts.push(item, COMMA);
  if (items.length > 0) parts.pop();
  const end = total === undefined ? '' : `,"total":${total}`;
  const others = Object.entries(more).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  parts.push(Buffer.from(`],"cursor":${JSON.stringify(cursor)}${end}${others.join('')}}`));
  return Buffer.concat(parts) as SerializedJson;
}
