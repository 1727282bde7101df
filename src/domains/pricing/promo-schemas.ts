import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Input, OneOf, Text, Timestamp } from '../../shared/schemas.ts';
import { StatusEntry, StatusInput } from '../../shared/statuses.ts';

export const PROMO_STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

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

/** What each type needs is checked by `promo-parts.ts`: the errors of a union would not name the field. */
const Parts = (what: string, examples: unknown[]) =>
  Type.Array(Type.Unsafe<SentPart>(Type.Object({ type: Type.String({ maxLength: 40 }) })), {
    maxItems: 20,
    description: what,
    examples: [examples],
  });

const changeable = {
  discounts: Parts(
    'ITEMS_PERCENTAGE {bps}, ITEMS_FIXED {amount} or SHIPPING_PERCENTAGE {bps}; `marketId` limits one.',
    [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
  ),
  conditions: Parts(
    'PRODUCTS [product ids], MIN_ORDER_AMOUNT amount, DATE_RANGE {start?, end?}, MAX_USES n, MAX_USES_PER_USER n.',
    [{ type: 'MAX_USES', value: 100 }],
  ),
  statuses: Type.Array(StatusInput, { maxItems: 1000 }),
};
const Code = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\s\\x00-\\x1f]+$', examples: ['WELCOME10'] });

export const PromoInput = Input({
  code: Code,
  discounts: changeable.discounts,
  conditions: Type.Optional(changeable.conditions),
  statuses: Type.Optional(changeable.statuses),
  status: Type.Optional(Text(40, { description: 'The same as `statuses` with one entry.', examples: ['ACTIVE'] })),
});
export type PromoInput = Static<typeof PromoInput>;

export const PromoUpdate = Input({
  code: Type.Optional(Code),
  discounts: Type.Optional(changeable.discounts),
  conditions: Type.Optional(changeable.conditions),
  statuses: Type.Optional(changeable.statuses),
});
export type PromoUpdate = Static<typeof PromoUpdate>;

export const PromoCode = Type.Object({
  id: Id,
  businessId: BusinessId,
  code: Type.String({ examples: ['WELCOME10'] }),
  discounts: Type.Array(Type.Object({}, { additionalProperties: true }), {
    examples: [[{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]],
  }),
  conditions: Type.Array(Type.Object({}, { additionalProperties: true }), {
    examples: [[{ type: 'MAX_USES', value: 100 }]],
  }),
  statuses: Type.Array(StatusEntry),
  uses: Type.Integer({ description: 'Orders that hold a use of it.', examples: [3] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  etag: Type.Optional(
    Type.String({ description: 'In lists: what a GET of this code has in `ETag`.', examples: ['"1"'] }),
  ),
});
export type PromoCode = Static<typeof PromoCode>;

export const PromoListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(PROMO_STATUSES)),
  query: Type.Optional(Type.String({ maxLength: 64, description: 'The beginning of the code.' })),
});
export type PromoListQuery = Static<typeof PromoListQuery>;
