import Type, { type Static, type TSchema } from 'typebox';
import { BlockDefinition } from '../../shared/blocks/index.ts';
import {
  Address,
  Bps,
  BusinessId,
  ChosenId,
  Country,
  Currency,
  Etag,
  Id,
  Input,
  Known,
  Line,
  MarketCode,
  MoneyMinor,
  Name,
  OneOf,
  PartialAddress,
  Slug,
  Text,
  Timestamp,
} from '../../shared/schemas.ts';
import { PERMISSIONS } from '../../shared/security/caller.ts';
import {
  BankAccount,
  BrandColor,
  BrandLogo,
  CartReminder,
  EmailSettings,
  Invoicing,
  MailEventsSettings,
  ReturnSettings,
  Seller,
} from './sale-schemas.ts';
import { Security, SecurityInput } from './security-schemas.ts';
import { StorefrontSettings } from './storefront/schemas.ts';

export const Market = Input({
  id: ChosenId,
  name: Type.Optional(Name('Europe')),
  currency: Currency,
  taxMode: Type.Optional(OneOf(['EXCLUSIVE', 'INCLUSIVE'])),
  taxBps: Type.Optional(Bps),
  paymentMethods: Type.Optional(
    Type.Array(Input({ method: OneOf(['CREDIT_CARD', 'CASH', 'BANK_TRANSFER', 'FREE']) }), {
      maxItems: 10,
      description: 'If omitted or empty, all methods except bank transfer are accepted.',
    }),
  ),
  countries: Type.Optional(
    Type.Array(Country, {
      maxItems: 250,
      description: 'Storefronts preselect this market for visitors from these countries.',
    }),
  ),
});
export type Market = Static<typeof Market>;

const Secret = (example: string, options: object = {}) =>
  Text(500, {
    description: 'Returned as `****` and the last 4 characters. Send the masked value to keep the stored secret.',
    ...options,
    examples: [example],
  });

/** A merchant's server that takes part in pricing. */
export const Endpoint = Input({
  url: Type.String({ maxLength: 2000, pattern: '^https?://[^\\s]+$', examples: ['https://shop.example/rates'] }),
  secret: Type.Optional(
    Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLqSw', {
      pattern: '^(\\*{4}.*|whsec_[A-Za-z0-9+/]{32,}={0,2})$',
      description:
        'The signing secret: `whsec_` followed by at least 24 random bytes in Base64. Returned as `****` and the last 4 characters. Send the masked value to keep the stored secret.',
    }),
  ),
});
export type Endpoint = Static<typeof Endpoint>;

const State = Line(100, { minLength: 1, examples: ['CA'] });
const ZipPattern = Type.String({
  maxLength: 30,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 -]*\\*?$',
  description: 'A postal code, a prefix such as `80*`, or a range of codes of the same length such as `81000-81999`.',
  examples: ['80*'],
});
const ZipPatterns = Type.Array(ZipPattern, { maxItems: 1000 });
const Grams = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Weight in grams.', examples: [1000] });

export const ShippingRate = Input({
  market: MarketCode,
  amount: MoneyMinor,
  freeAbove: Type.Optional(MoneyMinor),
  minWeight: Type.Optional(Grams),
  maxWeight: Type.Optional(Grams),
  minSubtotal: Type.Optional(MoneyMinor),
  maxSubtotal: Type.Optional(MoneyMinor),
});
export type ShippingRate = Static<typeof ShippingRate>;

export const ShippingZone = Input(
  {
    countries: Type.Array(Country, { minItems: 1, maxItems: 250 }),
    states: Type.Optional(Type.Array(State, { maxItems: 200 })),
    zips: Type.Optional(ZipPatterns),
    rates: Type.Array(ShippingRate, { maxItems: 200 }),
  },
  {
    description:
      "The most specific zone that contains the address applies: postal code, then state, then country. The price is the first rate that matches the market, weight and subtotal. Limits are inclusive. A zone without rates excludes its area: the method doesn't deliver there.",
  },
);
export type ShippingZone = Static<typeof ShippingZone>;

export const PickupLocation = Input({ id: ChosenId, name: Name('Portland store'), address: PartialAddress });
export type PickupLocation = Static<typeof PickupLocation>;

const Prices = Type.Array(Input({ market: MarketCode, amount: MoneyMinor, freeAbove: Type.Optional(MoneyMinor) }), {
  maxItems: 200,
});
const methodFields = {
  id: ChosenId,
  name: Type.Optional(Name('Standard shipping')),
  type: Type.Optional(OneOf(['SHIPPING', 'PICKUP'])),
  taxable: Type.Optional(Type.Boolean()),
  etaText: Type.Optional(Type.String({ maxLength: 200 })),
  countries: Type.Optional(Type.Array(Country, { maxItems: 250 })),
  zones: Type.Optional(
    Type.Array(ShippingZone, { maxItems: 500, description: 'If not empty, replaces `prices` and `countries`.' }),
  ),
  locations: Type.Optional(
    Type.Array(PickupLocation, { maxItems: 500, description: 'Where customers can pick up their order.' }),
  ),
};
const carrier = Type.Optional({
  ...Endpoint,
  description:
    'Your endpoint for live rates. If it fails, the rates of `zones` or `prices` apply. Visible to members only.',
});
export const ShippingMethod = Input({ ...methodFields, carrier, prices: Prices });
export type ShippingMethod = Static<typeof ShippingMethod>;
export const ShippingMethodInput = Input({ ...methodFields, carrier, prices: Type.Optional(Prices) });
const PublicShippingMethod = Type.Object({ ...methodFields, prices: Prices });

export const TaxClass = Input({ id: ChosenId, name: Name('Food') });

export const TaxRate = Input(
  {
    id: ChosenId,
    name: Name('VAT'),
    country: Country,
    state: Type.Optional(State),
    zips: Type.Optional(ZipPatterns),
    classId: ChosenId,
    bps: Bps,
  },
  { description: 'The most specific rate for the address and the tax class applies.' },
);
export type TaxRate = Static<typeof TaxRate>;

const taxFields = {
  origin: Type.Optional(
    Type.Union(
      [Country, Input({ country: Country, state: Type.Optional(State), zip: Type.Optional(Address.properties.zip) })],
      { description: 'Where goods ship from: a country code, or an object with country, state and postal code.' },
    ),
  ),
  oss: Type.Optional(
    Type.Boolean({
      description:
        'Whether the business is registered for the EU One-Stop Shop. If not, sales within the EU are taxed at the origin.',
    }),
  ),
  shipping: Type.Optional(
    Type.String({
      ...ChosenId,
      description:
        '`PROPORTIONAL` taxes shipping at the rates of the items. A tax class ID taxes it at the rate of that class. If omitted, shipping is taxed proportionally for taxable shipping methods.',
      examples: ['PROPORTIONAL'],
    }),
  ),
  vatCheck: Type.Optional(
    Type.Boolean({
      description: 'Whether VAT IDs are checked with VIES. Defaults to true if there are tax rates.',
    }),
  ),
};
export const TaxSettings = Input({
  ...taxFields,
  provider: Type.Optional({
    ...Endpoint,
    description: 'Your endpoint for sales tax. If it fails, `taxRates` apply. Visible to members only.',
  }),
});
export type TaxSettings = Static<typeof TaxSettings>;

const providerFields = {
  type: OneOf(['SANDBOX', 'STRIPE']),
  publicKey: Type.Optional(Type.String({ maxLength: 500, examples: ['pk_test_51'] })),
};
export const PaymentProvider = Input({
  ...providerFields,
  secretKey: Type.Optional(Secret('****a1b2')),
  webhookSecret: Type.Optional(Secret('****c3d4')),
});
export type PaymentProvider = Static<typeof PaymentProvider>;

const profileFields = {
  legalName: Type.Optional(Name('Souk GmbH')),
  address: Type.Optional(PartialAddress),
  timeZone: Type.Optional(Line(64, { description: 'An IANA time zone.', examples: ['Europe/Berlin'] })),
};
/** Used for invoices and statistics. */
const Profile = Input({
  ...profileFields,
  taxId: Type.Optional(Line(50, { description: 'Visible to members only.', examples: ['DE123456789'] })),
});

const configFields = {
  markets: Type.Optional(Type.Array(Market, { maxItems: 200 })),
  taxClasses: Type.Optional(Type.Array(TaxClass, { maxItems: 100 })),
  taxRates: Type.Optional(
    Type.Array(TaxRate, {
      maxItems: 10_000,
      description: 'If not empty, replaces the `taxBps` of the markets. Visible to members only.',
    }),
  ),
  tax: Type.Optional(TaxSettings),
  paymentProvider: Type.Optional(PaymentProvider),
  bankTransfer: Type.Optional(BankAccount),
  orderBlocks: Type.Optional(Type.Array(BlockDefinition, { maxItems: 100 })),
  email: Type.Optional(EmailSettings),
  brand: Type.Optional(Input({ logo: Type.Optional(BrandLogo), color: Type.Optional(BrandColor) })),
  profile: Type.Optional(Profile),
  returns: Type.Optional(ReturnSettings),
  cartReminder: Type.Optional(CartReminder),
  seller: Type.Optional(Seller),
  invoicing: Type.Optional(Invoicing),
  mailEvents: Type.Optional(MailEventsSettings),
  storefront: Type.Optional(StorefrontSettings),
};
export const Configs = Input({
  ...configFields,
  security: Type.Optional(Security),
  shippingMethods: Type.Optional(Type.Array(ShippingMethod, { maxItems: 200 })),
});
export type Configs = Static<typeof Configs>;
export const ConfigsInput = Input({
  ...configFields,
  security: Type.Optional(SecurityInput),
  shippingMethods: Type.Optional(Type.Array(ShippingMethodInput, { maxItems: 200 })),
});
export type ConfigsInput = Static<typeof ConfigsInput>;

const { markets, taxClasses, orderBlocks, email, brand, returns, cartReminder, storefront } = configFields;
/** The settings as non-members see them. */
const PublicConfigs = Type.Object({
  markets,
  taxClasses,
  orderBlocks,
  email,
  brand,
  returns,
  cartReminder,
  storefront,
  tax: Type.Optional(Type.Object(taxFields)),
  paymentProvider: Type.Optional(Type.Object(providerFields)),
  profile: Type.Optional(Type.Object(profileFields)),
  shippingMethods: Type.Optional(Type.Array(PublicShippingMethod)),
});

/** Fits 200 zones and 5,000 tax rates. */
export const BUSINESS_BYTES = 4 * 1_048_576;

/** As stored in the database, with the payment provider's secrets encrypted. */
export type StoredConfigs = Configs;

export const BusinessInput = Input({
  name: Name('The Linen Shop'),
  slug: Type.Optional(Slug('the-linen-shop')),
  configs: Type.Optional(ConfigsInput),
});
export type BusinessInput = Static<typeof BusinessInput>;

export const BusinessChange = Input({
  name: Type.Optional(Name('The Linen Shop')),
  slug: Type.Optional(Slug('the-linen-shop')),
  configs: Type.Optional(ConfigsInput),
});
export type BusinessChange = Static<typeof BusinessChange>;

const businessFields = <C extends TSchema>(configs: C) => ({
  id: Id,
  name: Name('The Linen Shop'),
  slug: Slug('the-linen-shop'),
  configs,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export const Business = Type.Object(businessFields(Configs));
export type Business = Static<typeof Business>;
/** A business as non-members see it. */
export const PublicBusiness = Type.Object(businessFields(PublicConfigs));

export const ListedBusiness = Type.Object({ ...Business.properties, etag: Etag });
export type ListedBusiness = Static<typeof ListedBusiness>;

const PermissionName = OneOf(PERMISSIONS);
const Permissions = Type.Array(PermissionName, { maxItems: 50, examples: [['CATALOG_WRITE']] });

export const RoleInput = Input({
  businessId: Type.Optional(BusinessId),
  name: Name('Editor'),
  permissions: Permissions,
});
export type RoleInput = Static<typeof RoleInput>;

export const RoleChange = Input({ name: Type.Optional(Name('Editor')), permissions: Type.Optional(Permissions) });
export type RoleChange = Static<typeof RoleChange>;

export const Role = Type.Object({
  id: Id,
  businessId: BusinessId,
  name: Name('Editor'),
  permissions: Type.Array(Known(PERMISSIONS, Type.String({ examples: ['CATALOG_WRITE'] }))),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Role = Static<typeof Role>;

export const ListedRole = Type.Object({ ...Role.properties, etag: Etag });
export type ListedRole = Static<typeof ListedRole>;
