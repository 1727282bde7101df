import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { PageOf, Success } from '../../../shared/schemas.ts';
import { EntryParams } from '../rendering/schemas.ts';
import { isSourceChanged } from '../rendering/source.ts';
import { cancelSend } from './cancel-send.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listSends } from './list-sends.ts';
import { readSend } from './read-send.ts';
import { Delivery, DeliveryQuery, Send, SendInput, SendParams, SendStarted } from './schemas.ts';
import { sendEntry } from './send-entry.ts';

const ENTRY = '/v1/businesses/:businessId/entries/:entryId';
const tags = ['Newsletters'];

export function sendRoutes(app: App): void {
  app.post(
    `${ENTRY}/send`,
    {
      config: { access: 'NEWSLETTER_SEND', bodyOptional: true },
      schema: {
        tags,
        summary: 'Send an entry to all subscribers, at once or at a time',
        params: EntryParams,
        body: SendInput,
        response: { 200: SendStarted },
      },
    },
    (request) => {
      const { entryId } = request.params;
      return command(request, sendEntry, { ...request.body, entryId }, { retry: isSourceChanged });
    },
  );

  app.get(
    `${ENTRY}/sends`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        summary: 'List the sends of an entry, newest first',
        params: EntryParams,
        querystring: PageQuery,
        response: { 200: PageOf(Send) },
      },
    },
    (request) => {
      const { entryId } = request.params;
      return query(request, listSends, { ...request.query, entryId });
    },
  );

  app.get(
    `${ENTRY}/sends/:sendId`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: { tags, summary: 'A send and how far it has come', params: SendParams, response: { 200: Send } },
    },
    (request) => query(request, readSend, request.params),
  );

  app.post(
    `${ENTRY}/sends/:sendId/cancel`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        summary: 'Cancel a send',
        description: 'Messages that have left stay sent; those that have not are counted as skipped.',
        params: SendParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, cancelSend, request.params),
  );

  app.get(
    `${ENTRY}/sends/:sendId/deliveries`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List the recipients of a send',
        params: SendParams,
        querystring: DeliveryQuery,
        response: { 200: PageOf(Delivery) },
      },
    },
    (request) => {
      const { entryId, sendId } = request.params;
      return query(request, listDeliveries, { ...request.query, entryId, sendId });
    },
  );
}
