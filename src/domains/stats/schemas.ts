import Type, { type Static } from 'typebox';
import { Currency, Id, MarketCode, OneOf, Timestamp } from '../../shared/schemas.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;

export const StatsQuery = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  interval: Type.Optional(OneOf(INTERVALS, { default: 'day' })),
});
export type StatsQuery = Static<typeof StatsQuery>;

const sums = {
  currency: Currency,
  orders: Type.Integer({ description: 'Without cancelled ones.' }),
  sales: Type.Integer({ description: 'The sum of their totals, in minor units.' }),
  refunds: Type.Integer({ description: 'What of it went back.' }),
};

export const SalesSum = Type.Object({ ...sums, average: Type.Integer({ description: 'Sales of an order.' }) });
export const MarketSales = Type.Object({ market: MarketCode, ...sums });
export const IntervalSales = Type.Object({
  at: Type.Integer({ description: 'When the interval begins, in the time zone of the business.' }),
  ...sums,
});
export const ProductSales = Type.Object({
  productId: Id,
  name: Type.String(),
  currency: Currency,
  quantity: Type.Integer(),
  sales: Type.Integer({ description: 'Before discounts on the order.' }),
});

export const Stats = Type.Object({
  from: Timestamp,
  to: Timestamp,
  interval: OneOf(INTERVALS),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  totals: Type.Array(SalesSum, { description: 'One for each currency.' }),
  series: Type.Array(IntervalSales, { description: 'Intervals in which something was sold, oldest first.' }),
  markets: Type.Array(MarketSales),
  products: Type.Array(ProductSales, { description: 'The 20 that sold for most.' }),
  subscribers: Type.Object({
    active: Type.Integer({ description: 'Now.' }),
    added: Type.Integer({ description: 'Who subscribed in this time and still does.' }),
  }),
});
export type Stats = Static<typeof Stats>;
