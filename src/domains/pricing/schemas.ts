import Type, { type Static } from 'typebox';
import {
  Bps,
  BusinessId,
  Currency,
  Id,
  Input,
  Known,
  MarketCode,
  Media,
  MoneyMinor,
  Nullable,
  OneOf,
  Quantity,
  Timestamp,
} from '../../shared/schemas.ts';
import { ProductSummary } from '../catalog/index.ts';

/** All these names mean payment by card. */
export const CARD_METHODS = ['CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'] as const;
export const PAYMENT_METHODS = [...CARD_METHODS, 'CASH', 'FREE'] as const;
export const PaymentMethod = OneOf(PAYMENT_METHODS);

/** Per cart. */
const MAX_LINES = 100;
/** Fits a full cart and its blocks. Guests may send it, so it is limited before parsing. */
export const CART_BYTES = 128 * 1024;
export const LineType = Type.Optional(Type.Literal('PRODUCT_VARIANT'));
export const VariantId = Type.String({ minLength: 1, maxLength: 64, examples: ['main'] });

export const ItemInput = Input({ type: LineType, productId: Id, variantId: VariantId, quantity: Quantity });
export type ItemInput = Static<typeof ItemInput>;
export const Items = Type.Array(ItemInput, { minItems: 1, maxItems: MAX_LINES });

export const PromoCodeText = Nullable(Type.String({ maxLength: 64, examples: ['WELCOME10'] }));
export const ShippingMethodId = Nullable(Type.String({ maxLength: 64, examples: ['standard'] }));

export const CART_EXAMPLE = {
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
export const QuoteInput = Input(quoteFields, { examples: [CART_EXAMPLE] });
export type QuoteInput = Static<typeof QuoteInput>;

export const LineId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Unique within the order. Stays the same when the order changes.',
  examples: ['line_1'],
});
export const OrderLine = Type.Object({
  id: LineId,
  type: Known(['PRODUCT_VARIANT'], Type.String({ examples: ['PRODUCT_VARIANT'] })),
  productId: Id,
  variantId: VariantId,
  quantity: Quantity,
  unitPrice: MoneyMinor,
  totalPrice: MoneyMinor,
  name: Type.String({ description: 'The name of the product at the time of sale.', examples: ['Linen shirt'] }),
  variantName: Type.String({
    description: 'The name of the variant at the time of sale.',
    examples: ['Medium, white'],
  }),
  sku: Type.String({ examples: ['LIN-M-WHITE'] }),
  options: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'The attributes of the variant at the time of sale.',
    examples: [[{ name: 'size', value: 'M' }]],
  }),
  image: Nullable(
    Type.Object(
      { id: Media.properties.id, url: Media.properties.url, mimeType: Media.properties.mimeType },
      { description: 'The first image of the variant, or else of the product, at the time of sale.' },
    ),
  ),
  discount: Type.Integer({ description: "The line's share of the discount.", examples: [0] }),
  product: Type.Optional(
    Nullable({
      ...ProductSummary,
      description: "The current product, with `expand=product`. Null if it was deleted or you can't see it.",
    }),
  ),
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

export const Display = Type.Object(
  {
    taxIncluded: Type.Boolean({
      description:
        'Whether the prices include tax. If so, `total` is `subtotal + shipping - discount`, which already includes `tax`.',
    }),
    subtotal: MoneyMinor,
    shipping: MoneyMinor,
    discount: MoneyMinor,
    tax: MoneyMinor,
    total: MoneyMinor,
  },
  { description: 'Amounts for display. They are gross if prices in the market include tax.' },
);

export const Quote = Type.Object({
  id: Id,
  market: MarketCode,
  lines: Type.Array(OrderLine),
  ...sums,
  display: Display,
  currency: Currency,
  promoCode: Nullable(Type.String()),
  expiresAt: Timestamp,
});
export type Quote = Static<typeof Quote>;
