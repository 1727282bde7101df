import { query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { readFigures } from './read-figures.ts';
import { readGrowth } from './read-growth.ts';
import { FiguresParams, Growth, GrowthParams, GrowthQuery, SendFigures } from './schemas.ts';

const tags = ['Newsletters'];

export function figureRoutes(app: App): void {
  app.get(
    '/v1/businesses/:businessId/entries/:entryId/sends/:sendId/figures',
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'getSendFigures',
        summary: 'Get the statistics of a send',
        description:
          'Returns deliveries, bounces, complaints, unsubscriptions, sales, and opens and clicks if the newsletter tracks them. Requests by mail scanners and other bots are not counted.',
        params: FiguresParams,
        response: { 200: SendFigures },
      },
    },
    (request) => query(request, readFigures, request.params),
  );

  app.get(
    '/v1/businesses/:businessId/collections/:id/growth',
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'getGrowth',
        summary: 'Get the growth of a newsletter',
        description: 'Returns how many people joined and left, by day. Defaults to the last 30 days.',
        params: GrowthParams,
        querystring: GrowthQuery,
        response: { 200: Growth },
      },
    },
    (request) => query(request, readGrowth, { ...request.query, ...request.params }),
  );
}
