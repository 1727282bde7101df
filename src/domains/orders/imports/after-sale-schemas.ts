/** Refunds, returns and documents of an order in an export. */
import Type, { type Static } from 'typebox';
import { Currency, Id, Input, MoneyMinor, Nullable, OneOf, Quantity, Timestamp } from '../../../shared/schemas.ts';
import { Series } from '../../businesses/index.ts';
import { DOCUMENT_TYPES } from '../documents/schemas.ts';
import { StoredSnapshot } from '../documents/snapshot-schemas.ts';
import { Refund, StoredParts } from '../money/schemas.ts';
import { Return, ReturnLine } from '../returns/schemas.ts';
import { MAX_LINES } from '../schemas.ts';

const Words = (maxLength: number) => Nullable(Type.String({ maxLength }));
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const RefundExport = Input({
  id: Id,
  amount: MoneyMinor,
  reason: Words(2000),
  parts: Nullable(StoredParts),
  userId: Nullable(Id),
  status: Refund.properties.status,
  providerRefundId: Words(255),
  failure: Words(2000),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type RefundExport = Static<typeof RefundExport>;

const { orderId: _, orderNumber: __, value: ___, ...returnFields } = Return.properties;
const { name: ____, ...returnLine } = ReturnLine.properties;

export const ReturnExport = Input({
  ...returnFields,
  rejection: Words(1000),
  lines: Type.Array(Input({ ...returnLine, quantity: Quantity, unshipped: Count, returned: Type.Optional(Count) }), {
    minItems: 1,
    maxItems: MAX_LINES,
  }),
  statuses: Type.Array(Input(Return.properties.statuses.items.properties), { minItems: 1, maxItems: 20 }),
});
export type ReturnExport = Static<typeof ReturnExport>;

/** A document in the export of a whole business. */
export const DocumentExport = Input({
  id: Id,
  orderId: Id,
  type: OneOf(DOCUMENT_TYPES),
  series: Series({}),
  sequence: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
  refundId: Nullable(Id),
  issuedAt: Timestamp,
  currency: Currency,
  total: MoneyMinor,
  snapshot: StoredSnapshot,
});
export type DocumentExport = Static<typeof DocumentExport>;
