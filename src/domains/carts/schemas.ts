import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import {
  BusinessId,
  Currency,
  Email,
  Etag,
  Id,
  Input,
  Line,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Quantity,
  Timestamp,
} from '../../shared/schemas.ts';
import {
  addresses,
  addressInputs,
  CartItems,
  PAYMENT_METHODS,
  PaymentMethod,
  PromoCodeText,
  Quote,
  ShippingMethodId,
  VariantId,
} from '../pricing/index.ts';

const Locale = Line(35, { minLength: 2, description: "The customer's language.", examples: ['de-DE'] });
const Reminder = Type.Boolean({
  description:
    'Whether the customer asked for an email about this cart. Set it only if the customer selected a checkbox. Requires `email`, unless the customer is logged in.',
  examples: [false],
});

const choices = {
  items: Type.Optional(CartItems),
  email: Type.Optional(Nullable(Email)),
  ...addressInputs,
  shippingMethodId: Type.Optional(ShippingMethodId),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  promoCode: Type.Optional(PromoCodeText),
  locale: Type.Optional(Nullable(Locale)),
  reminder: Type.Optional(Reminder),
  soukRef: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The `souk_ref` query parameter of the page. Newsletter links add it. The order then counts toward the send statistics. Invalid values have no effect.',
      examples: ['snd_01jd3x8q6kz5v0n4t7w2m9c1ab.t4q2k0.…'],
    }),
  ),
};
const CART_EXAMPLE = {
  market: 'us',
  items: [{ productId: 'prod_01jd3x8q6kz5v0n4t7w2m9c1ab', variantId: 'main', quantity: 1 }],
};
export const CartInput = Input({ market: MarketCode, ...choices }, { examples: [CART_EXAMPLE] });
export type CartInput = Static<typeof CartInput>;
export const CartUpdate = Input(
  { market: Type.Optional(MarketCode), ...choices },
  { examples: [{ items: CART_EXAMPLE.items }] },
);
export type CartUpdate = Static<typeof CartUpdate>;

export const CartHeaders = Type.Object({
  'souk-cart-secret': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The cart secret. Not required with the token that created the cart or, to read it, with `ORDER_READ`.',
    }),
  ),
});

export const CartItem = Type.Object({
  productId: Id,
  variantId: VariantId,
  quantity: Quantity,
  name: Type.String({
    description: 'The product name when the items were last saved.',
    examples: ['Linen shirt'],
  }),
  variantName: Type.String({ examples: ['Medium, white'] }),
});
export type CartItem = Static<typeof CartItem>;

const { id: _, expiresAt: __, ...priceFields } = Quote.properties;
export const CartQuote = Type.Object(priceFields, {
  description: 'The current price of the items that can be sold.',
});
export type CartQuote = Static<typeof CartQuote>;

export const CartProblem = Type.Object(
  {
    field: Type.String({ examples: ['items[0].quantity'] }),
    error: Type.String({ examples: ['INSUFFICIENT_STOCK'] }),
    message: Type.String({ examples: ['Only 2 left in stock.'] }),
  },
  { description: 'The errors that a checkout of this cart would return.' },
);

/** The send that led to the cart. */
export const AttributionView = Type.Object({
  sendId: Type.String({ ...Id, examples: ['snd_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
});

export const Cart = Type.Object({
  id: Id,
  businessId: BusinessId,
  status: OneOf(['OPEN', 'ORDERED']),
  orderId: Nullable(Type.String({ ...Id, examples: ['ord_01jd3x8q6kz5v0n4t7w2m9c1ab'] })),
  market: MarketCode,
  items: Type.Array(CartItem),
  email: Nullable(Type.String({ examples: ['ada@example.com'] })),
  ...addresses,
  shippingMethodId: Nullable(Type.String({ examples: ['standard'] })),
  paymentMethod: Nullable(OneOf(PAYMENT_METHODS)),
  promoCode: Nullable(Type.String({ examples: ['WELCOME10'] })),
  locale: Nullable(Type.String({ examples: ['de-DE'] })),
  reminder: Reminder,
  attribution: Nullable(AttributionView),
  problems: Type.Array(CartProblem),
  quote: Nullable({ ...CartQuote, description: 'Null if none of the items can be sold.' }),
  secret: Type.Optional(
    Type.String({
      description:
        'Send it in the `Souk-Cart-Secret` header to access the cart. Only returned when the cart is created.',
      examples: ['kq3vJ0m8…'],
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
});
export type Cart = Static<typeof Cart>;

export const RestoreInput = Input({
  token: Type.String({ minLength: 1, maxLength: 300, description: 'The token from the link in a reminder.' }),
});

export const CartListQuery = Type.Object({ ...PageQuery.properties });
export type CartListQuery = Static<typeof CartListQuery>;

export const ListedCart = Type.Object({
  id: Id,
  customerId: Id,
  email: Nullable(Type.String({ examples: ['ada@example.com'] })),
  name: Nullable(Type.String({ description: "The customer's name, from the address.", examples: ['Ada Lovelace'] })),
  market: MarketCode,
  items: Type.Array(CartItem),
  subtotal: Type.Integer({ ...MoneyMinor, description: 'The price of the items when they were last saved.' }),
  currency: Nullable(Currency),
  reminderAt: Nullable({ ...Timestamp, description: 'When a reminder will be sent.' }),
  remindedAt: Nullable({ ...Timestamp, description: 'When a reminder was sent.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  etag: Etag,
});
export type ListedCart = Static<typeof ListedCart>;
