import Type, { type Static } from 'typebox';
import { Currency, Id, MarketCode, OneOf, Timestamp } from '../../shared/schemas.ts';

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
