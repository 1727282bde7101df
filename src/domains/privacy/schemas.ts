import Type, { type Static } from 'typebox';
import { KEPT_REASONS } from '../../context/index.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Input, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';
import type { AccountErasureRow, ErasureRow } from './queries.ts';

const What = Type.String({ description: 'Kind of the records.', examples: ['orders'] });
const Count = Type.Integer({ minimum: 0, examples: [3] });

export const ErasureReport = Type.Object({
  erased: Type.Array(Type.Object({ what: What, count: Count })),
  kept: Type.Array(
    Type.Object({
      what: What,
      count: Count,
      reason: OneOf(KEPT_REASONS, {
        description:
          'ACCOUNTING: figures without name and address. ORDER_OPEN, PAYMENT_OPEN: the same, and not finished yet. MEMBER: a role in the team. PAYMENT_PROVIDER: what the provider holds itself.',
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
  subject: Type.String({ description: 'The id that was named.', examples: ['cust_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
  requestedBy: Nullable(Type.String({ description: 'Null: by the person, who deleted their account.' })),
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
      description: 'Not needed within ten minutes of a log-in, and by guests.',
      examples: ['correct-horse-7'],
    }),
  ),
});
export type DeleteAccountInput = Static<typeof DeleteAccountInput>;

export const DeletedAccount = Type.Object({
  success: Type.Boolean({ examples: [true] }),
  erasureId: Type.String({
    description: 'Tells at `GET /v1/users/erasures/{id}` how far it has come.',
    examples: ['ers_01jd3x8q6kz5v0n4t7w2m9c1ab'],
  }),
});
export type DeletedAccount = Static<typeof DeletedAccount>;

export const ErasureParams = Type.Object({ id: Id });
export const ErasureQuery = PageQuery;
