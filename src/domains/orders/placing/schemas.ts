import Type, { type Static } from 'typebox';
import {
  BusinessId,
  Currency,
  Email,
  Id,
  Input,
  Line,
  MarketCode,
  Nullable,
  OneOf,
  OneRequired,
} from '../../../shared/schemas.ts';
import {
  addressInputs,
  CART_EXAMPLE,
  Items,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
} from '../../pricing/index.ts';
import { Blocks, Locale } from '../schemas.ts';

const RedirectUrl = Nullable(Type.String({ maxLength: 2000, examples: ['https://shop.example/thanks'] }));

const SoukRef = Type.String({
  maxLength: 200,
  description:
    'The `souk_ref` query parameter of the page. Newsletter links add it. Not required if the cart already has it.',
});

const checkoutFields = {
  businessId: Type.Optional(BusinessId),
  market: MarketCode,
  currency: Type.Optional(Nullable(Currency)),
  paymentMethod: PaymentMethod,
  shippingMethodId: Type.Optional(ShippingMethodId),
  items: Type.Optional({ ...Items, description: 'Required without `cartId`.' }),
  lines: Type.Optional({ ...Items, description: 'Alias of `items`.' }),
  cartId: Type.Optional(
    Type.String({
      ...Id,
      description: 'A cart instead of `items`. Omitted fields are taken from the cart. The order closes the cart.',
      examples: ['cart_01jd3x8q6kz5v0n4t7w2m9c1ab'],
    }),
  ),
  blocks: Type.Optional(Blocks),
  promoCode: Type.Optional(PromoCodeText),
  ...addressInputs,
  locale: Type.Optional(Nullable(Locale)),
  soukRef: Type.Optional(SoukRef),
  quoteId: Type.Optional(Nullable(Id)),
  email: Type.Optional(Nullable(Email)),
  name: Type.Optional(
    Nullable(Line(200, { description: "The customer's name, for guests.", examples: ['Ada Lovelace'] })),
  ),
  returnUrl: Type.Optional(RedirectUrl),
  cancelUrl: Type.Optional(RedirectUrl),
};
export const CheckoutInput = Input(checkoutFields, { examples: [CART_EXAMPLE], ...OneRequired('items', 'cartId') });
export type CheckoutInput = Static<typeof CheckoutInput>;

export const CheckoutResult = Type.Object({
  orderId: Id,
  checkoutUrl: Type.Optional(
    Type.String({
      description: 'The URL of the payment page. Redirect the customer to it.',
      examples: ['https://souk.example/pay/eyJ…'],
    }),
  ),
  status: Type.Optional(
    OneOf(['COMPLETED', 'PENDING'], {
      description:
        '`COMPLETED` if there is nothing to pay, `PENDING` if the customer will pay in cash or by bank transfer.',
      examples: ['COMPLETED'],
    }),
  ),
});
export type CheckoutResult = Static<typeof CheckoutResult>;
