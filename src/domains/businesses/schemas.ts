import Type, { type Static } from 'typebox';
import { Bps, ChosenId, Currency, Email, Input, MarketCode, MoneyMinor, Name, Text } from '../../shared/schemas.ts';

export const Market = Input({
  id: ChosenId,
  name: Type.Optional(Name),
  currency: Currency,
  taxMode: Type.Optional(Type.Union([Type.Literal('EXCLUSIVE'), Type.Literal('INCLUSIVE')])),
  taxBps: Type.Optional(Bps),
  paymentMethods: Type.Optional(
    Type.Array(
      Input({ method: Type.Union([Type.Literal('CREDIT_CARD'), Type.Literal('CASH'), Type.Literal('FREE')]) }),
      { maxItems: 10 },
    ),
  ),
});
export type Market = Static<typeof Market>;

export const ShippingMethod = Input({
  id: ChosenId,
  name: Type.Optional(Name),
  type: Type.Optional(Type.Union([Type.Literal('SHIPPING'), Type.Literal('PICKUP')])),
  prices: Type.Array(Input({ market: MarketCode, amount: MoneyMinor, freeAbove: Type.Optional(MoneyMinor) }), {
    maxItems: 200,
  }),
  taxable: Type.Optional(Type.Boolean()),
  etaText: Type.Optional(Type.String({ maxLength: 200 })),
  countries: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 250 })),
});
export type ShippingMethod = Static<typeof ShippingMethod>;

export const PaymentProvider = Input({
  type: Type.Union([Type.Literal('SANDBOX'), Type.Literal('STRIPE')]),
  publicKey: Type.Optional(Type.String({ maxLength: 500 })),
  secretKey: Type.Optional(Text(500)),
  webhookSecret: Type.Optional(Text(500)),
});
export type PaymentProvider = Static<typeof PaymentProvider>;

export const Configs = Input({
  markets: Type.Optional(Type.Array(Market, { maxItems: 200 })),
  shippingMethods: Type.Optional(Type.Array(ShippingMethod, { maxItems: 200 })),
  paymentProvider: Type.Optional(PaymentProvider),
  orderBlocks: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 100 })),
  email: Type.Optional(
    Input({ fromName: Type.Optional(Text(100, { pattern: '^[^\\x00-\\x1f\\x7f]*$' })), replyTo: Type.Optional(Email) }),
  ),
});
export type Configs = Static<typeof Configs>;

/** As it lies in the database: the payment provider's secrets are sealed. */
export type StoredConfigs = Configs;

export const BusinessInput = Input({ name: Name, slug: Type.Optional(Type.String()), configs: Type.Optional(Configs) });
