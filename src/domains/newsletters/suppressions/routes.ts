import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, CountedPageOf, Success } from '../../../shared/schemas.ts';
import { listSuppressions } from './list-suppressions.ts';
import { receiveEvents } from './receive-events.ts';
import { MailEventParams, Suppression, SuppressionInput, SuppressionParams, SuppressionQuery } from './schemas.ts';
import { addSuppression, deleteSuppression } from './suppress.ts';

const SUPPRESSIONS = '/v1/businesses/:businessId/suppressions';
const tags = ['Newsletters'];

export function suppressionRoutes(app: App): void {
  app.get(
    SUPPRESSIONS,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List suppressions',
        description: 'Returns the addresses that get no marketing email from the business, newest first.',
        params: BusinessParams,
        querystring: SuppressionQuery,
        response: { 200: CountedPageOf(Suppression) },
      },
    },
    (request) => query(request, listSuppressions, request.query),
  );

  app.post(
    SUPPRESSIONS,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        summary: 'Suppress an address',
        description:
          'Stops newsletters, automations and reminders to the address. Emails about orders and accounts are still sent. If the ' +
          'address is already suppressed, the suppression is updated only if the new reason is `COMPLAINT`.',
        params: BusinessParams,
        body: SuppressionInput,
        response: { 200: Suppression },
      },
    },
    (request) => command(request, addSuppression, request.body),
  );

  app.delete(
    `${SUPPRESSIONS}/:id`,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        summary: 'Remove a suppression',
        description: 'The address gets marketing email again. Do this only if its owner asks you to.',
        params: SuppressionParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteSuppression, request.params.id),
  );

  app.register((scope, _options, done) => {
    mailEventRoutes(scope as unknown as App);
    done();
  });
}

/** Keeps request bodies raw, because signatures cover the exact bytes. */
function mailEventRoutes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(
    '/v1/mail/events/:provider/:businessId',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'receiveMailEvents',
        summary: 'Receive events from an email provider',
        description:
          'The webhook endpoint for the provider in `configs.mailEvents`. Requests must be authenticated with the key in `configs.mailEvents.secret`. Hard bounces, repeated soft bounces and complaints suppress the address.',
        params: MailEventParams,
        response: { 200: Success },
      },
    },
    (request) => {
      const { body, headers, params } = request;
      const report = { provider: params.provider, headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
      return command(request, receiveEvents, report);
    },
  );
}
