import { query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams } from '../../shared/schemas.ts';
import { readStats } from './read-stats.ts';
import { Stats, StatsQuery } from './schemas.ts';

export function statsRoutes(app: App): void {
  app.get(
    '/v1/businesses/:businessId/stats',
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags: ['Stats'],
        operationId: 'getStats',
        summary: 'Get sales statistics',
        description:
          'Returns sales by interval, market and product, computed from current orders. Only paid orders count; canceled orders are excluded. Defaults to the last 30 days. Intervals follow the time zone of the business.',
        params: BusinessParams,
        querystring: StatsQuery,
        response: { 200: Stats },
      },
    },
    (request) => query(request, readStats, request.query),
  );
}
