import Type, { type Static } from 'typebox';
import {
  Address,
  Bps,
  BusinessId,
  ChosenId,
  Country,
  Currency,
  Id,
  Input,
  Known,
  MarketCode,
  Media,
  MoneyMinor,
  Nullable,
  OneOf,
  PartialAddress,
  Quantity,
  Timestamp,
} from '../../shared/schemas.ts';
import { TaxClass, TaxRate } from '../businesses/index.ts';
import { ProductSummary } from '../catalog/index.ts';

/** The first is the name of card payments, the others are aliases. */
export const CARD_METHODS = ['CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'] as const;
export const PAYMENT_METHODS = [...CARD_METHODS, 'CASH', 'BANK_TRANSFER', 'FREE'] as const;
export const PaymentMethod = OneOf(PAYMENT_METHODS, {
  description: '`STRIPE` and `CARD_PROVIDER` are aliases of `CREDIT_CARD`.',
});

/** Per cart. */
export const MAX_LINES = 100;
/** Fits a full cart and its blocks. Guests may send carts, so the size is checked before parsing. */
export const CART_BYTES = 128 * 1024;
export const LineType = Type.Optional(Type.Literal('PRODUCT_VARIANT'));
export const VariantId = Type.String({ minLength: 1, maxLength: 64, examples: ['main'] });

export const ItemInput = Input({ type: LineType, productId: Id, variantId: VariantId, quantity: Quantity });
export type ItemInput = Static<typeof ItemInput>;
export const Items = Type.Array(ItemInput, { minItems: 1, maxItems: MAX_LINES });
export const CartItems = Type.Array(ItemInput, { maxItems: MAX_LINES });

export const PromoCodeText = Nullable(Type.String({ maxLength: 64, examples: ['WELCOME10'] }));
export const ShippingMethodId = Nullable(Type.String({ maxLength: 64, examples: ['standard'] }));

export const CART_EXAMPLE = {
  businessId: 'biz_demo',
  market: 'us',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ productId: 'prod_01jd3x8q6kz5v0n4t7w2m9c1ab', variantId: 'main', quantity: 1 }],
};

/** Shipping and billing details, for carts and orders. */
export const addressInputs = {
  shippingAddress: Type.Optional(Nullable(PartialAddress)),
  billingAddress: Type.Optional(Nullable(PartialAddress)),
  pickupLocationId: Type.Optional(
    Nullable(
      Type.String({ ...ChosenId, description: 'A pickup location of the shipping method.', examples: ['store'] }),
    ),
  ),
};
export const addresses = {
  shippingAddress: Nullable(Address),
  billingAddress: Nullable(Address),
  pickupLocationId: Nullable(Type.String({ examples: ['store'] })),
};

const quoteFields = {
  businessId: BusinessId,
  market: MarketCode,
  currency: Type.Optional(Nullable(Currency)),
  ...addressInputs,
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
  name: Type.String({ description: 'The product name at the time of sale.', examples: ['Linen shirt'] }),
  variantName: Type.String({
    description: 'The variant name at the time of sale.',
    examples: ['Medium, white'],
  }),
  sku: Type.String({ examples: ['LIN-M-WHITE'] }),
  options: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: "The variant's attributes at the time of sale.",
    examples: [[{ name: 'size', value: 'M' }]],
  }),
  image: Nullable(
    Type.Object(
      { id: Media.properties.id, url: Media.properties.url, mimeType: Media.properties.mimeType },
      { description: 'The first image of the variant, or else of the product, at the time of sale.' },
    ),
  ),
  discount: Type.Integer({ description: "The line's share of the discount.", examples: [0] }),
  tax: Type.Integer({ description: "The line's share of the tax.", examples: [0] }),
  taxBps: Type.Integer({ ...Bps, description: "The line's tax rate in basis points.", examples: [1900] }),
  requiresShipping: Type.Boolean({ description: 'Whether the line requires shipping.', examples: [true] }),
  weight: Type.Optional(Type.Integer({ description: 'The weight of one unit in grams.', examples: [350] })),
  product: Type.Optional(
    Nullable({
      ...ProductSummary,
      description: "The current product, with `expand=product`. Null if it was deleted or you can't see it.",
    }),
  ),
});
export type OrderLine = Static<typeof OrderLine>;

export const totals = {
  subtotal: MoneyMinor,
  tax: MoneyMinor,
  taxBps: Bps,
  shipping: MoneyMinor,
  discount: MoneyMinor,
  total: MoneyMinor,
};

export const TaxLine = Type.Object(
  {
    name: Type.String({ maxLength: 200, examples: ['VAT'] }),
    bps: Bps,
    base: Type.Integer({ description: 'The net amount that is taxed at this rate.', examples: [4900] }),
    amount: MoneyMinor,
    country: Type.Optional(Type.String({ ...Country, description: 'The country where the tax is due.' })),
  },
  { description: 'The tax on an order at one rate.' },
);
export type TaxLine = Static<typeof TaxLine>;

/** The tax on a quote or an order in detail. Line taxes plus `shippingTax` add up to `tax`, and so do the tax lines. */
export const taxes = {
  taxLines: Type.Array(TaxLine),
  shippingTax: Type.Integer({ description: 'The part of `tax` that is due on shipping.', examples: [0] }),
  taxExempt: Nullable(
    OneOf(['REVERSE_CHARGE'], {
      description: '`REVERSE_CHARGE` if the customer, a business in another EU country, owes the tax.',
    }),
  ),
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
  ...totals,
  ...taxes,
  display: Display,
  currency: Currency,
  shippingMethodId: Nullable(Type.String()),
  ...addresses,
  promoCode: Nullable(Type.String()),
  expiresAt: Timestamp,
});
export type Quote = Static<typeof Quote>;

export const ShippingOptionsInput = Input(
  {
    businessId: BusinessId,
    market: MarketCode,
    items: Type.Optional(Items),
    lines: Type.Optional(Items),
    shippingAddress: Type.Optional(Nullable(PartialAddress)),
  },
  {
    examples: [
      {
        businessId: 'biz_demo',
        market: 'eu',
        items: CART_EXAMPLE.items,
        shippingAddress: { country: 'DE', zip: '80331' },
      },
    ],
  },
);
export type ShippingOptionsInput = Static<typeof ShippingOptionsInput>;

export const ShippingOption = Type.Object({
  shippingMethodId: Type.String({ examples: ['standard'] }),
  name: Type.String({ examples: ['Standard'] }),
  type: OneOf(['SHIPPING', 'PICKUP']),
  amount: Type.Integer({ ...MoneyMinor, description: 'The price as listed, before discounts.' }),
  currency: Currency,
  etaText: Nullable(Type.String({ examples: ['3–5 days'] })),
  locations: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), address: Address }), {
      description: 'The pickup locations.',
    }),
  ),
});
export type ShippingOption = Static<typeof ShippingOption>;
export const ShippingOptions = Type.Object({ items: Type.Array(ShippingOption) });
export type ShippingOptions = Static<typeof ShippingOptions>;

export const VatRates = Type.Object({
  date: Type.String({ description: 'The day on which these rates applied.', examples: ['2026-04-01'] }),
  taxClasses: Type.Array(TaxClass),
  taxRates: Type.Array(TaxRate),
});
export type VatRates = Static<typeof VatRates>;
