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
  sales: Type.Integer({ description: 'Gross sales: the amount received for these orders, in minor units.' }),
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
  sales: Type.Integer({ description: 'Sales before order discounts, in minor units.' }),
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
  orders: Type.Integer({ description: 'The number of paid orders, excluding canceled ones.' }),
  base: Type.Integer({ description: 'The net amount after refunds, in minor units.' }),
  tax: Type.Integer({ description: 'The tax after refunds, in minor units.' }),
  refundedBase: Type.Integer({ description: 'The refunded net amount, in minor units.' }),
  refundedTax: Type.Integer({ description: 'The refunded tax, in minor units.' }),
});

export const TaxReport = Type.Object({
  from: Timestamp,
  to: Timestamp,
  interval: OneOf(TAX_INTERVALS),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  items: Type.Array(TaxReportLine, { description: 'One line for each interval, country, rate and currency.' }),
});
export type TaxReport = Static<typeof TaxReport>;
