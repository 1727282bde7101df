import Type, { type Static, type TSchema } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import { StatusEntry, StatusInput, withStatuses } from '../../../shared/records/status-schemas.ts';
import {
  Bps,
  BusinessId,
  Documented,
  Id,
  Input,
  Known,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';

export const PROMO_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

const PromoStatusEntry = withStatuses(StatusEntry, PROMO_STATUSES);
const PromoStatusInput = withStatuses(StatusInput, PROMO_STATUSES);

type InMarket = { marketId?: string };
export type PromoDiscount =
  | ({ type: 'ITEMS_PERCENTAGE'; bps: number } & InMarket)
  | ({ type: 'ITEMS_FIXED'; amount: number } & InMarket)
  | ({ type: 'SHIPPING_PERCENTAGE'; bps: number } & InMarket);

export type PromoCondition =
  | { type: 'PRODUCTS'; value: string[] }
  | { type: 'MIN_ORDER_AMOUNT'; value: number }
  | { type: 'DATE_RANGE'; value: { start: number | null; end: number | null } }
  | { type: 'MAX_USES'; value: number }
  | { type: 'MAX_USES_PER_USER'; value: number };

export type SentPart = { type: string; [field: string]: unknown };

const InMarket = { marketId: Type.Optional(MarketCode) };
const Discount = Type.Union([
  Type.Object({ type: Type.Literal('ITEMS_PERCENTAGE'), bps: Bps, ...InMarket }),
  Type.Object({ type: Type.Literal('ITEMS_FIXED'), amount: MoneyMinor, ...InMarket }),
  Type.Object({ type: Type.Literal('SHIPPING_PERCENTAGE'), bps: Bps, ...InMarket }),
]);
const Time = Type.Optional(Nullable(Timestamp));
const Uses = Type.Integer({ minimum: 1 });
const Condition = Type.Union([
  Type.Object({ type: Type.Literal('PRODUCTS'), value: Type.Array(Id) }),
  Type.Object({ type: Type.Literal('MIN_ORDER_AMOUNT'), value: MoneyMinor }),
  Type.Object({ type: Type.Literal('DATE_RANGE'), value: Type.Object({ start: Time, end: Time }) }),
  Type.Object({ type: Type.Literal('MAX_USES'), value: Uses }),
  Type.Object({ type: Type.Literal('MAX_USES_PER_USER'), value: Uses }),
]);

/** `parts.ts` validates the parts by type, because the errors of a union would not name the field. */
const Parts = (documented: TSchema, description: string, examples: unknown[]) =>
  Type.Array(Documented(documented, Type.Unsafe<SentPart>(Type.Object({ type: Type.String({ maxLength: 40 }) }))), {
    maxItems: 20,
    description,
    examples: [examples],
  });

const changeable = {
  discounts: Parts(
    Discount,
    'Each discount is `ITEMS_PERCENTAGE` with `bps`, `ITEMS_FIXED` with `amount`, or `SHIPPING_PERCENTAGE` with `bps`. An optional `marketId` limits a discount to one market.',
    [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
  ),
  conditions: Parts(
    Condition,
    'The `value` depends on the type: an array of product IDs for `PRODUCTS`, an amount for `MIN_ORDER_AMOUNT`, `{start?, end?}` for `DATE_RANGE`, and a number for `MAX_USES` and `MAX_USES_PER_USER`.',
    [{ type: 'MAX_USES', value: 100 }],
  ),
  statuses: Type.Array(PromoStatusInput, { maxItems: 1000 }),
  status: Known(
    PROMO_STATUSES,
    Text(40, { description: 'Shorthand for `statuses` with a single new status.', examples: ['ACTIVE'] }),
  ),
};
const Code = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\s\\x00-\\x1f]+$', examples: ['WELCOME10'] });

export const PromoInput = Input({
  code: Code,
  discounts: changeable.discounts,
  conditions: Type.Optional(changeable.conditions),
  statuses: Type.Optional(changeable.statuses),
  status: Type.Optional(changeable.status),
});
export type PromoInput = Static<typeof PromoInput>;

export const PromoUpdate = Input({
  code: Type.Optional(Code),
  discounts: Type.Optional(changeable.discounts),
  conditions: Type.Optional(changeable.conditions),
  statuses: Type.Optional(changeable.statuses),
  status: Type.Optional(changeable.status),
});
export type PromoUpdate = Static<typeof PromoUpdate>;

export const PromoCode = Type.Object({
  id: Id,
  businessId: BusinessId,
  code: Type.String({ examples: ['WELCOME10'] }),
  discounts: Type.Array(Documented(Discount, Type.Object({}, { additionalProperties: true })), {
    examples: [[{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]],
  }),
  conditions: Type.Array(Documented(Condition, Type.Object({}, { additionalProperties: true })), {
    examples: [[{ type: 'MAX_USES', value: 100 }]],
  }),
  statuses: Type.Array(PromoStatusEntry),
  uses: Type.Integer({ description: 'The number of orders that use the code.', examples: [3] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  etag: Type.Optional(
    Type.String({ description: 'The `ETag` of the promo code. Only present in lists.', examples: ['"1"'] }),
  ),
});
export type PromoCode = Static<typeof PromoCode>;

export const PromoListQuery = Type.Object({
  ...CountedPageQuery.properties,
  status: Type.Optional(OneOf(PROMO_STATUSES)),
  statuses: Type.Optional(
    Type.Array(OneOf(PROMO_STATUSES), { description: 'Returns promo codes with any of these statuses.' }),
  ),
  query: Type.Optional(Type.String({ maxLength: 64, description: 'Prefix of the code.' })),
});
export type PromoListQuery = Static<typeof PromoListQuery>;
