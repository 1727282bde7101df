import Type, { type Static } from 'typebox';
import { Bps, Currency, Id, MarketCode, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';

const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

export const StatsQuery = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  interval: Type.Optional(OneOf(INTERVALS, { default: 'day' })),
});
export type StatsQuery = Static<typeof StatsQuery>;

const sums = {
  currency: Currency,
  orders: Type.Integer({ description: 'The number of paid orders, excluding canceled ones.' }),
  sales: Type.Integer({ description: 'Gross sales: the amount received for those orders, in minor units.' }),
  refunds: Type.Integer({ description: 'The refunded amount, in minor units.' }),
  net: Type.Integer({ description: 'Net sales: `sales - refunds`, in minor units.' }),
};

export const SalesSum = Type.Object({
  ...sums,
  average: Type.Integer({ description: 'The average gross sales per order, in minor units.' }),
});
export const MarketSales = Type.Object({ market: MarketCode, ...sums });
export const IntervalSales = Type.Object({
  at: Type.Integer({ description: 'The start of the interval in the time zone of the business, in Unix seconds.' }),
  ...sums,
});
export const ProductSales = Type.Object({
  productId: Id,
  name: Type.String(),
  currency: Currency,
  quantity: Type.Integer(),
  sales: Type.Integer({ description: 'Sales after discounts, in minor units.' }),
});

export const Stats = Type.Object({
  from: Timestamp,
  to: Timestamp,
  interval: OneOf(INTERVALS),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  totals: Type.Array(SalesSum, { description: 'One total per currency.' }),
  series: Type.Array(IntervalSales, { description: 'Intervals with sales, oldest first.' }),
  markets: Type.Array(MarketSales),
  products: Type.Array(ProductSales, { description: 'The 20 products with the highest sales.' }),
  subscribers: Type.Object({
    active: Type.Integer({ description: 'The current number of active subscribers.' }),
    added: Type.Integer({ description: 'Subscribers who joined in this period and are still active.' }),
  }),
});
export type Stats = Static<typeof Stats>;

const REPORT_INTERVALS = ['day', 'week', 'month'] as const;
const REPORT_GROUPS = [...REPORT_INTERVALS, 'product', 'country', 'market'] as const;

export const SalesReportQuery = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  groupBy: Type.Optional(OneOf(REPORT_GROUPS, { default: 'day' })),
  interval: Type.Optional(
    OneOf(REPORT_INTERVALS, {
      description: 'With `groupBy=product`, `country` or `market`: also groups by this interval.',
    }),
  ),
  compare: Type.Optional(
    OneOf(['none', 'previous', 'year'], {
      default: 'none',
      description:
        'Also returns the previous period, or the same period a year earlier. Whole months are compared with whole months, and other periods with the same number of days.',
    }),
  ),
  format: Type.Optional(OneOf(['json', 'csv'], { default: 'json' })),
});
export type SalesReportQuery = Static<typeof SalesReportQuery>;

const figures = {
  currency: Currency,
  orders: Type.Integer({ description: 'The number of orders paid.', examples: [12] }),
  gross: Type.Integer({
    description: 'The amount received, with tax and shipping, in minor units.',
    examples: [58_800],
  }),
  refunds: Type.Integer({ description: 'The amount refunded, in minor units.', examples: [4900] }),
  net: Type.Integer({ description: '`gross - refunds`, in minor units.', examples: [53_900] }),
  average: Type.Integer({ description: 'The average order value: `gross / orders`, rounded.', examples: [4900] }),
};

export const SalesReportTotal = Type.Object({
  ...figures,
  returns: Type.Integer({ description: 'The number of returns requested, excluding rejected ones.' }),
});
export const SalesReportItem = Type.Object({
  at: Type.Optional(
    Type.Integer({ description: 'The start of the interval in the time zone of the business, in Unix seconds.' }),
  ),
  productId: Type.Optional(
    Nullable(Type.String({ ...Id, description: 'Null for everything that is not a product, such as shipping.' })),
  ),
  name: Type.Optional(Nullable(Type.String({ examples: ['Linen shirt'] }))),
  quantity: Type.Optional(Type.Integer({ description: 'The number of units sold.', examples: [14] })),
  country: Type.Optional(
    Nullable(Type.String({ description: 'Null if the orders have no address.', examples: ['FR'] })),
  ),
  market: Type.Optional(MarketCode),
  ...figures,
});

const salesFigures = {
  from: Timestamp,
  to: Timestamp,
  totals: Type.Array(SalesReportTotal, { description: 'One total per currency.' }),
  items: Type.Array(SalesReportItem, {
    description: 'One item per interval, group and currency that had sales or refunds.',
  }),
};
export const SalesReportPeriod = Type.Object(salesFigures);
export const SalesReport = Type.Object({
  ...salesFigures,
  groupBy: OneOf(REPORT_GROUPS),
  interval: Nullable(OneOf(REPORT_INTERVALS)),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  previous: Nullable(SalesReportPeriod),
});
export type SalesReport = Static<typeof SalesReport>;

const TAX_INTERVALS = ['month', 'quarter', 'year'] as const;

export const TaxReportQuery = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  interval: Type.Optional(OneOf(TAX_INTERVALS, { default: 'month' })),
  format: Type.Optional(OneOf(['json', 'csv'], { default: 'json' })),
});
export type TaxReportQuery = Static<typeof TaxReportQuery>;

export const TaxReportLine = Type.Object({
  at: Type.Integer({ description: 'The start of the interval in the time zone of the business, in Unix seconds.' }),
  country: Nullable(Type.String({ description: 'Null if the orders have no address.', examples: ['FR'] })),
  name: Type.String({ examples: ['VAT'] }),
  bps: Bps,
  currency: Currency,
  orders: Type.Integer({ description: 'The number of orders paid in the interval.' }),
  base: Type.Integer({
    description:
      'The net amount of these orders minus the refunds made in the interval, in minor units. Can be negative.',
  }),
  tax: Type.Integer({
    description: 'The tax on these orders minus the tax on the refunds, in minor units. Can be negative.',
  }),
  refundedBase: Type.Integer({ description: 'The refunded net amount, in minor units.' }),
  refundedTax: Type.Integer({ description: 'The refunded tax, in minor units.' }),
});

export const TaxReport = Type.Object({
  from: Timestamp,
  to: Timestamp,
  interval: OneOf(TAX_INTERVALS),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  items: Type.Array(TaxReportLine, { description: 'One row per interval, country, rate and currency.' }),
});
export type TaxReport = Static<typeof TaxReport>;
