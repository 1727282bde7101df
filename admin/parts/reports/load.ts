/** Home and the reports page share these requests and their cached responses, so both show the same figures. */
import { souk } from '../../shell/session.ts';
import type { Unit } from '../chart.tsx';
import { useLoad } from '../load.ts';
import type { ReportQuery } from './periods.ts';

export const useSalesReport = (query: ReportQuery, unit: Unit) =>
  useLoad(`sales report ${JSON.stringify([query, unit])}`, (signal) =>
    souk.stats.getSalesReport({ ...query, groupBy: unit }, { signal }),
  );

export const useBreakdown = (query: ReportQuery, groupBy: 'product' | 'country') =>
  useLoad(`sales by ${groupBy} ${JSON.stringify(query)}`, (signal) =>
    souk.stats.getSalesReport({ ...query, groupBy }, { signal }),
  );
