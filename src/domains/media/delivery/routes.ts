import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { query } from '../../../http/command.ts';
import { type App, isHead } from '../../../http/server.ts';
import { DeliveryParams } from '../schemas.ts';
import { type Delivery, deliver } from './deliver.ts';

export function deliveryRoutes(app: App): void {
  app.get(
    '/media/:businessId/:key',
    { config: { access: 'public' }, schema: { params: DeliveryParams } },
    async (request, reply) => {
      const { accept = '', range, 'if-none-match': ifNoneMatch, 'if-range': ifRange } = request.headers;
      const delivery = await query(request, deliver, {
        key: request.params.key,
        accept,
        ifNoneMatch,
        range,
        ifRange: ifRange as string | undefined,
        isHead: isHead(request),
      });
      return send(reply, delivery);
    },
  );
}

function send(reply: FastifyReply, { status, headers, body }: Delivery): FastifyReply {
  // An empty stream keeps the content-length header of a response without a body.
  return reply
    .code(status)
    .removeHeader('vary')
    .headers(headers)
    .send(body ?? Readable.from([]));
}
