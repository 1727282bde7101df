import Type, { type Static } from 'typebox';
import { BlockDefinition } from '../../shared/blocks/index.ts';
import {
  Bps,
  BusinessId,
  ChosenId,
  Currency,
  Email,
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
  SenderName,
  Slug,
  Text,
  Timestamp,
} from '../../shared/schemas.ts';
import { PERMISSIONS } from '../../shared/security/caller.ts';

export const Market = Input({
  id: ChosenId,
  name: Type.Optional(Name),
  currency: Currency,
  taxMode: Type.Optional(OneOf(['EXCLUSIVE', 'INCLUSIVE'])),
  taxBps: Type.Optional(Bps),
  paymentMethods: Type.Optional(
    Type.Array(Input({ method: OneOf(['CREDIT_CARD', 'CASH', 'FREE']) }), { maxItems: 10 }),
  ),
});
export type Market = Static<typeof Market>;

export const ShippingMethod = Input({
  id: ChosenId,
  name: Type.Optional(Name),
  type: Type.Optional(OneOf(['SHIPPING', 'PICKUP'])),
  prices: Type.Array(Input({ market: MarketCode, amount: MoneyMinor, freeAbove: Type.Optional(MoneyMinor) }), {
    maxItems: 200,
  }),
  taxable: Type.Optional(Type.Boolean()),
  etaText: Type.Optional(Type.String({ maxLength: 200 })),
  countries: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'] }), { maxItems: 250 })),
});

const Secret = (example: string) =>
  Text(500, {
    description: 'Returned as `****` and the last 4 characters. Send the masked value to keep the stored secret.',
    examples: [example],
  });

export const PaymentProvider = Input({
  type: OneOf(['SANDBOX', 'STRIPE']),
  publicKey: Type.Optional(Type.String({ maxLength: 500, examples: ['pk_test_51'] })),
  secretKey: Type.Optional(Secret('****a1b2')),
  webhookSecret: Type.Optional(Secret('****c3d4')),
});
export type PaymentProvider = Static<typeof PaymentProvider>;

/** Used for invoices and statistics. */
const Profile = Input({
  legalName: Type.Optional(Name),
  address: Type.Optional(PartialAddress),
  taxId: Type.Optional(Line(50, { description: 'Visible to members only.', examples: ['DE123456789'] })),
  timeZone: Type.Optional(Line(64, { description: 'An IANA time zone.', examples: ['Europe/Berlin'] })),
});

export const Configs = Input({
  markets: Type.Optional(Type.Array(Market, { maxItems: 200 })),
  shippingMethods: Type.Optional(Type.Array(ShippingMethod, { maxItems: 200 })),
  paymentProvider: Type.Optional(PaymentProvider),
  orderBlocks: Type.Optional(Type.Array(BlockDefinition, { maxItems: 100 })),
  email: Type.Optional(Input({ fromName: Type.Optional(SenderName), replyTo: Type.Optional(Email) })),
  profile: Type.Optional(Profile),
});
export type Configs = Static<typeof Configs>;

/** As stored in the database, with the payment provider's secrets encrypted. */
export type StoredConfigs = Configs;

export const BusinessInput = Input({
  name: Name,
  slug: Type.Optional(Slug),
  configs: Type.Optional(Configs),
});
export type BusinessInput = Static<typeof BusinessInput>;

export const BusinessChange = Input({
  name: Type.Optional(Name),
  slug: Type.Optional(Slug),
  configs: Type.Optional(Configs),
});
export type BusinessChange = Static<typeof BusinessChange>;

export const Business = Type.Object({
  id: Id,
  name: Name,
  slug: Slug,
  configs: Configs,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Business = Static<typeof Business>;

export const ListedBusiness = Type.Object({ ...Business.properties, etag: Etag });
export type ListedBusiness = Static<typeof ListedBusiness>;

const PermissionName = OneOf(PERMISSIONS);
const Permissions = Type.Array(PermissionName, { maxItems: 50, examples: [['CATALOG_WRITE']] });

export const RoleInput = Input({ businessId: Type.Optional(BusinessId), name: Name, permissions: Permissions });
export type RoleInput = Static<typeof RoleInput>;

export const RoleChange = Input({ name: Type.Optional(Name), permissions: Type.Optional(Permissions) });
export type RoleChange = Static<typeof RoleChange>;

export const Role = Type.Object({
  id: Id,
  businessId: BusinessId,
  name: Name,
  permissions: Type.Array(Known(PERMISSIONS, Type.String({ examples: ['CATALOG_WRITE'] }))),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Role = Static<typeof Role>;

export const ListedRole = Type.Object({ ...Role.properties, etag: Etag });
export type ListedRole = Static<typeof ListedRole>;
