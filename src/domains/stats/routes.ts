import { query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams } from '../../shared/schemas.ts';
import { readStats } from './read-stats.ts';
import { Stats, StatsQuery, TaxReport, TaxReportQuery } from './schemas.ts';
import { readTaxReport, taxReportCsv } from './tax-report.ts';

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

  app.get(
    '/v1/businesses/:businessId/reports/tax',
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags: ['Stats'],
        operationId: 'getTaxReport',
        summary: 'Get a tax report',
        description:
          'Returns the tax of paid orders minus refunds, by interval, country and rate, for orders created in the period. Canceled orders are excluded. Defaults to the last year by month. `format=csv` returns the lines as a CSV file.',
        params: BusinessParams,
        querystring: TaxReportQuery,
        response: { 200: TaxReport },
      },
    },
    async (request, reply) => {
      const report = await query(request, readTaxReport, request.query);
      if (request.query.format !== 'csv') return report;
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="tax-report.csv"')
        .serializer((text: string) => text)
        .send(taxReportCsv(report) as never);
    },
  );
}
