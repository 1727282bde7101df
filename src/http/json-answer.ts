import type { FastifyReply } from 'fastify';
import type { Page } from '../shared/paging.ts';

/**
 * Records are stored as the JSON that is answered. It goes from the database to the client as it is: parsing and writing a page
 * of it would cost more than all the rest of the request.
 */
export const sendJson = (reply: FastifyReply, body: string) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body) as never;

export const sendPage = (reply: FastifyReply, { items, cursor }: Page<string>) =>
  sendJson(reply, `{"items":[${items.join(',')}],"cursor":${JSON.stringify(cursor)}}`);
