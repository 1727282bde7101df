import { command, query, readUnversioned } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, PageOf, Success } from '../../../shared/schemas.ts';
import { EntryParams } from '../rendering/schemas.ts';
import { isSourceChanged } from '../rendering/source.ts';
import { cancelSend } from './cancel-send.ts';
import { chooseWinner } from './choose-winner.ts';
import { listCurrentSends } from './list-current-sends.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listSends } from './list-sends.ts';
import { readSend } from './read-send.ts';
import {
  CurrentSendQuery,
  CurrentSends,
  Delivery,
  DeliveryQuery,
  Send,
  SendInput,
  SendParams,
  SendStarted,
  WinnerInput,
} from './schemas.ts';
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
        summary: 'Send an entry to subscribers',
        description: 'Sends the entry immediately, or at `scheduledAt`. The entry must be published.',
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
        summary: 'List the sends for an entry',
        description: 'Returns the sends of the entry, newest first.',
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
    '/v1/businesses/:businessId/sends/current',
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'listCurrentSends',
        summary: 'List the current sends for several entries',
        description:
          'Returns at most one send per entry, in this order of preference: in progress, scheduled, last sent, last canceled or failed. Unknown entries and sends canceled before they started are omitted.',
        params: BusinessParams,
        querystring: CurrentSendQuery,
        response: { 200: CurrentSends },
      },
    },
    (request) => query(request, listCurrentSends, request.query),
  );

  app.get(
    `${ENTRY}/sends/:sendId`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: { tags, summary: 'Get a send and its progress', params: SendParams, response: { 200: Send } },
    },
    (request, reply) => readUnversioned(request, reply, readSend, request.params),
  );

  app.post(
    `${ENTRY}/sends/:sendId/cancel`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        summary: 'Cancel a send',
        description:
          'Stops the send. Emails that were already sent are not affected, and the remaining ones count as skipped. Canceling again has no effect.',
        params: SendParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, cancelSend, request.params),
  );

  app.post(
    `${ENTRY}/sends/:sendId/winner`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'chooseWinner',
        summary: 'Choose the winner of an A/B test',
        description: 'Ends the test. The remaining subscribers get the winning version.',
        params: SendParams,
        body: WinnerInput,
        response: { 200: Send },
      },
    },
    (request) => command(request, chooseWinner, { ...request.params, ...request.body }),
  );

  app.get(
    `${ENTRY}/sends/:sendId/deliveries`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List send recipients',
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
