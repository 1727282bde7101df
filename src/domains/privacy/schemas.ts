import Type, { type Static } from 'typebox';
import { KEPT_REASONS } from '../../context/personal-data.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Input, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';
import type { AccountErasureRow, ErasureRow } from './queries.ts';

const What = Type.String({ description: 'The type of the records.', examples: ['orders'] });
const Count = Type.Integer({ minimum: 0, examples: [3] });

export const ErasureReport = Type.Object({
  erased: Type.Array(Type.Object({ what: What, count: Count })),
  kept: Type.Array(
    Type.Object({
      what: What,
      count: Count,
      reason: OneOf(KEPT_REASONS, {
        description:
          '`ACCOUNTING`: amounts, without names or addresses. `TAX_LAW`: invoices and credit notes, unchanged. `ORDER_OPEN`, `PAYMENT_OPEN`: the order or payment is not completed yet. `MEMBER`: team membership. `PAYMENT_PROVIDER`: data held by the payment provider. `OBJECTION`: the address stays on the suppression list, so that it gets no marketing email.',
        examples: ['ACCOUNTING'],
      }),
    }),
  ),
});

const shared = {
  id: Type.String({ examples: ['ers_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
  status: OneOf(['RUNNING', 'DONE'], { examples: ['DONE'] }),
  report: ErasureReport,
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
};

export const Erasure = Type.Object({
  ...shared,
  businessId: BusinessId,
  subject: Type.String({
    description: 'The customer, user or subscription ID from the erasure request.',
    examples: ['cust_01jd3x8q6kz5v0n4t7w2m9c1ab'],
  }),
  requestedBy: Nullable(
    Type.String({ description: 'The user who requested the erasure. Null if the person deleted their own account.' }),
  ),
});
export type Erasure = Static<typeof Erasure>;

export const AccountErasure = Type.Object(shared);
export type AccountErasure = Static<typeof AccountErasure>;

export function viewErasure(row: ErasureRow): Erasure {
  const { id, businessId, subject, status, report, requestedBy, createdAt, completedAt } = row;
  return { id, businessId, subject, status, report, requestedBy, createdAt, completedAt };
}

export function viewAccountErasure(row: AccountErasureRow): AccountErasure {
  const { id, status, report, createdAt, completedAt } = row;
  return { id, status, report, createdAt, completedAt };
}

export const DeleteAccountInput = Input({
  password: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'Ignored for guests, and for accounts with a second factor, which require step-up authentication. Not required within ten minutes of logging in.',
      examples: ['correct-horse-7'],
    }),
  ),
});
export type DeleteAccountInput = Static<typeof DeleteAccountInput>;

export const DeletedAccount = Type.Object(
  {
    success: Type.Boolean({ examples: [true] }),
    erasureId: Type.String({
      description: 'The ID of the erasure. To check its progress, call `GET /v1/users/erasures/{id}`.',
      examples: ['ers_01jd3x8q6kz5v0n4t7w2m9c1ab'],
    }),
  },
  { description: 'The account was deleted' },
);
export type DeletedAccount = Static<typeof DeletedAccount>;

export const ErasureParams = Type.Object({ id: Id });
export const ErasureQuery = PageQuery;
