import Type, { type Static } from 'typebox';
import {
  Bps,
  BusinessId,
  Currency,
  Id,
  Input,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Quantity,
  Timestamp,
} from '../../shared/schemas.ts';

/** All names of paying by card are one method. */
export const CARD_METHODS = ['CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'] as const;
export const PaymentMethod = OneOf([...CARD_METHODS, 'CASH', 'FREE']);

/** Of a basket. For products that an older version has saved, the whole document of each is read to price it. */
export const MAX_LINES = 100;
/** Room for a full basket and its blocks. Guests may send it, so it is bounded before it is parsed. */
export const BASKET_BYTES = 128 * 1024;
export const LineType = Type.Optional(Type.Literal('PRODUCT_VARIANT'));
export const VariantId = Type.String({ minLength: 1, maxLength: 64, examples: ['main'] });

export const ItemInput = Input({ type: LineType, productId: Id, variantId: VariantId, quantity: Quantity });
export type ItemInput = Static<typeof ItemInput>;
export const Items = Type.Array(ItemInput, { minItems: 1, maxItems: MAX_LINES });

export const PromoCodeText = Nullable(Type.String({ maxLength: 64, examples: ['WELCOME10'] }));
export const ShippingMethodId = Nullable(Type.String({ maxLength: 64, examples: ['standard'] }));

export const BASKET_EXAMPLE = {
  businessId: 'biz_demo',
  market: 'us',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ productId: 'prod_01jd3x8q6kz5v0n4t7w2m9c1ab', variantId: 'main', quantity: 1 }],
};

const quoteFields = {
  businessId: BusinessId,
  market: MarketCode,
  currency: Type.Optional(Nullable(Currency)),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  lines: Type.Optional(Items),
  items: Type.Optional(Items),
  shippingMethodId: Type.Optional(ShippingMethodId),
  promoCode: Type.Optional(PromoCodeText),
};
export const QuoteInput = Input(quoteFields, { examples: [BASKET_EXAMPLE] });
export type QuoteInput = Static<typeof QuoteInput>;

export const OrderLine = Type.Object({
  type: Type.String({ examples: ['PRODUCT_VARIANT'] }),
  productId: Id,
  variantId: VariantId,
  quantity: Quantity,
  unitPrice: MoneyMinor,
  totalPrice: MoneyMinor,
});
export type OrderLine = Static<typeof OrderLine>;

export const sums = {
  subtotal: MoneyMinor,
  tax: MoneyMinor,
  taxBps: Bps,
  shipping: MoneyMinor,
  discount: MoneyMinor,
  total: MoneyMinor,
};

export const Quote = Type.Object({
  id: Id,
  market: MarketCode,
  lines: Type.Array(OrderLine),
  ...sums,
  currency: Currency,
  promoCode: Nullable(Type.String()),
  expiresAt: Timestamp,
});
export type Quote = Static<typeof Quote>;
