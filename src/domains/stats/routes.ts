import { query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams } from '../../shared/schemas.ts';
import { readStats } from './read-stats.ts';
import { readSalesReport, salesReportCsv } from './sales-report.ts';
import { SalesReport, SalesReportQuery, Stats, StatsQuery, TaxReport, TaxReportQuery } from './schemas.ts';
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
    '/v1/businesses/:businessId/reports/sales',
    {
      config: { access: 'ORDER_READ' },
      schema: {
        tags: ['Stats'],
        operationId: 'getSalesReport',
        summary: 'Get a sales report',
        description:
          'Returns gross sales, refunds, net sales and average order value per currency, in total and by day, week, month, product, country or market. Orders count on the day they are paid, and refunds on the day they are made. A canceled order counts until its payment is refunded. Days follow the time zone of the business. Defaults to the last 30 days. `format=csv` returns the rows as a CSV file.',
        params: BusinessParams,
        querystring: SalesReportQuery,
        response: { 200: SalesReport },
      },
    },
    async (request, reply) => {
      const report = await query(request, readSalesReport, request.query);
      if (request.query.format !== 'csv') return report;
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sales-report.csv"')
        .serializer((text: string) => text)
        .send(salesReportCsv(report) as never);
    },
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
          'Returns the tax on orders paid in the period, minus the tax on refunds made in the period, by interval, country and rate. A canceled order counts until its payment is refunded. Defaults to the past 366 days, by month. `format=csv` returns the rows as a CSV file.',
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
