import { query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { SendParams } from '../sends/schemas.ts';
import { readGrowth } from './read-growth.ts';
import { readSendStats } from './read-send-stats.ts';
import { Growth, GrowthParams, GrowthQuery, SendStats } from './schemas.ts';

const tags = ['Newsletters'];

export function sendStatsRoutes(app: App): void {
  app.get(
    '/v1/businesses/:businessId/entries/:entryId/sends/:sendId/stats',
    {
      config: { access: 'NEWSLETTER_SEND' },
      schema: {
        tags,
        operationId: 'getSendStats',
        summary: 'Get send statistics',
        description:
          'Returns deliveries, bounces, complaints, unsubscribes, sales, and opens and clicks if the newsletter tracks them. Requests by mail scanners and other bots are not counted.',
        params: SendParams,
        response: { 200: SendStats },
      },
    },
    (request) => query(request, readSendStats, request.params),
  );

  app.get(
    '/v1/businesses/:businessId/collections/:id/growth',
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'getGrowth',
        summary: 'Get newsletter growth',
        description: 'Returns how many people joined and left, by day. Defaults to the last 30 days.',
        params: GrowthParams,
        querystring: GrowthQuery,
        response: { 200: Growth },
      },
    },
    (request) => query(request, readGrowth, { ...request.query, ...request.params }),
  );
}
