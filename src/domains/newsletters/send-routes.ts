import Type from 'typebox';
import { inTransaction } from '../../db/connection.ts';
import { once } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { notFound } from '../../shared/errors.ts';
import { PageQuery, pageLimit } from '../../shared/paging.ts';
import { PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import { cancelSend } from './cancel-send.ts';
import { listDeliveries } from './delivery-queries.ts';
import type { Newsletters } from './index.ts';
import {
  Delivery,
  DeliveryQuery,
  deliveryOf,
  EntryParams,
  Send,
  SendInput,
  SendParams,
  SendStarted,
  sendOf,
  TestInput,
} from './schemas.ts';
import { sendEntry } from './send-entry.ts';
import { findSendView, listSendViews, type SendView } from './send-queries.ts';
import { previewEntry, sendTestMail } from './test-mail.ts';

const ENTRY = '/v1/businesses/:businessId/entries/:entryId';

/** What the mail may load when a browser shows it: pictures and its own inline styles, nothing that acts. */
const PREVIEW_POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; sandbox";

export function sendRoutes(app: App, { deps }: Newsletters): void {
  const { pool, cursors } = deps;
  const tags = ['Newsletters'];

  app.post(
    `${ENTRY}/send`,
    {
      config: { access: 'NEWSLETTER_SEND', idempotent: true },
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        ...{ tags, summary: 'Send an entry to all subscribers, at once or at a time', params: EntryParams },
        ...{ body: SendInput, response: { 200: SendStarted } },
      },
    },
    (request) => {
      const { businessId, entryId } = request.params;
      return once(pool, request, (tx) => sendEntry(deps, tx, businessId, entryId, request.body));
    },
  );

  app.get(
    `${ENTRY}/sends`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        ...{ tags, summary: 'List the sends of an entry, newest first' },
        ...{ params: EntryParams, querystring: PageQuery, response: { 200: PageOf(Send) } },
      },
    },
    async ({ params: { businessId, entryId }, query }) => {
      const limit = pageLimit(query.limit);
      const scope = `sends:${businessId}:${entryId}`;
      const [before] = cursors.decode(scope, query.cursor) ?? [null];
      const rows = await listSendViews(pool, businessId, entryId, before as string | null, limit);
      // The sends of an entry outlive it.
      if (rows.length === 0) await deps.content.getEntry(pool, businessId, entryId);
      return cursors.page(scope, rows, limit, (row) => [row.id], sendOf);
    },
  );

  app.get(
    `${ENTRY}/sends/:sendId`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: { tags, summary: 'A send and how far it has come', params: SendParams, response: { 200: Send } },
    },
    async ({ params }) => sendOf(await getSend(params)),
  );

  app.post(
    `${ENTRY}/sends/:sendId/cancel`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        ...{ tags, summary: 'Cancel a send', params: SendParams, response: { 200: Success } },
        description: 'Messages that have left stay sent; those that have not are counted as skipped.',
      },
    },
    async ({ params: { businessId, entryId, sendId } }) => {
      await inTransaction(pool, (tx) => cancelSend(deps, tx, businessId, entryId, sendId));
      return SUCCESS;
    },
  );

  app.get(
    `${ENTRY}/sends/:sendId/deliveries`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        ...{ tags, summary: 'List the recipients of a send' },
        ...{ params: SendParams, querystring: DeliveryQuery, response: { 200: PageOf(Delivery) } },
      },
    },
    async ({ params, query }) => {
      const send = await getSend(params);
      const limit = pageLimit(query.limit);
      const scope = `deliveries:${send.id}`;
      const [after] = cursors.decode(scope, query.cursor) ?? [null];
      const rows = await listDeliveries(pool, send, query.status, after as string | null, limit);
      return cursors.page(scope, rows, limit, (row) => [row.subscriptionId], deliveryOf);
    },
  );

  app.post(
    `${ENTRY}/test`,
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        ...{ tags, summary: 'Send an entry to one address, to see how it looks' },
        ...{ params: EntryParams, body: TestInput, response: { 200: Success } },
      },
    },
    async ({ params: { businessId, entryId }, body }) => {
      await inTransaction(pool, (tx) => sendTestMail(deps, tx, businessId, entryId, body.email));
      return SUCCESS;
    },
  );

  app.get(
    `${ENTRY}/preview`,
    {
      config: { access: 'CONTENT_READ' },
      schema: {
        tags,
        summary: 'The entry as HTML mail',
        params: EntryParams,
        response: { 200: { description: 'The mail', content: { 'text/html': { schema: Type.String() } } } },
      },
    },
    async ({ params: { businessId, entryId } }, reply) => {
      const html = await previewEntry(deps, pool, businessId, entryId);
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', PREVIEW_POLICY)
        .send(html);
    },
  );

  async function getSend(params: { businessId: string; entryId: string; sendId: string }): Promise<SendView> {
    const send = await findSendView(pool, params.businessId, params.entryId, params.sendId);
    if (!send) throw notFound('Send');
    return send;
  }
}
