import Type, { type Static, type TSchema } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import { Id, Input, MoneyMinor, Nullable, OneOf, Quantity, Timestamp } from '../../../shared/schemas.ts';
import { LineId } from '../../pricing/index.ts';
import { LineInput } from '../changing/schemas.ts';
import { MAX_LINES } from '../schemas.ts';

export const RETURN_TYPES = ['RETURN', 'WITHDRAWAL', 'EXCHANGE'] as const;
export const RETURN_STATUSES = ['REQUESTED', 'APPROVED', 'REJECTED', 'RECEIVED', 'CLOSED'] as const;

const ReturnId = Type.String({ ...Id, examples: ['ret_01jd3x8q6kz5v0n4t7w2m9c1ab'] });
const ReturnType = OneOf(RETURN_TYPES, {
  description:
    '`WITHDRAWAL`: the customer withdraws from the contract, without giving a reason. This also covers items that were not shipped. ' +
    '`EXCHANGE`: the customer gets different items.',
  examples: ['RETURN'],
});
const Words = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] });
const Link = Type.String({
  maxLength: 2000,
  pattern: '^https?://[^\\s\\x00-\\x1f\\x7f]+$',
  examples: ['https://carrier.example/labels/00340434161094042557.pdf'],
});

export const ReturnInput = Input({
  type: ReturnType,
  lines: Type.Array(
    Input({
      lineId: LineId,
      quantity: Quantity,
      reason: Type.Optional(Nullable(Words(500, 'Too small'))),
    }),
    { minItems: 1, maxItems: MAX_LINES },
  ),
  note: Type.Optional(Nullable(Words(2000, 'The box is open.'))),
});
export type ReturnInput = Static<typeof ReturnInput>;

export const ReturnLine = Type.Object({
  lineId: LineId,
  name: Type.String({ examples: ['Linen shirt'] }),
  quantity: Type.Integer({ examples: [1] }),
  unshipped: Type.Integer({
    description: 'How many of the items had not been shipped. They will not be shipped.',
    examples: [0],
  }),
  reason: Nullable(Words(500, 'Too small')),
});

const ReturnStatusEntry = Type.Object({ status: OneOf(RETURN_STATUSES), timestamp: Timestamp });

/** The fields that customers see. */
const customerFields = <S extends TSchema>(status: S) => ({
  id: ReturnId,
  orderId: Id,
  orderNumber: Type.Integer({ examples: [1042] }),
  type: ReturnType,
  status: OneOf(RETURN_STATUSES, { examples: ['REQUESTED'] }),
  lines: Type.Array(ReturnLine),
  note: Nullable(Words(2000, 'The box is open.')),
  name: Nullable(Words(200, 'Ada Lovelace')),
  rejectable: Type.Boolean({ description: 'False for a withdrawal within the withdrawal period.' }),
  instructions: Nullable(Words(5000, 'Send the parcel to 1 Main Street, 10115 Berlin.')),
  labelUrl: Nullable(Link),
  rejection: Nullable(Type.String({ description: 'The reason for the rejection.', examples: ['The seal is broken.'] })),
  restocked: Nullable(
    Type.Boolean({ description: 'Whether the items were returned to stock. Null until they are received.' }),
  ),
  refundId: Nullable(Type.String({ ...Id, examples: ['rfd_01jd3x8q6kz5v0n4t7w2m9c1ab'] })),
  exchangeOrderId: Nullable(Type.String({ ...Id, description: 'The order that contains the replacement items.' })),
  statuses: Type.Array(status, { description: 'Oldest first.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const description = 'Items that a customer sends back.';

/** A return as its customer sees it. */
export const CustomerReturn = Type.Object(customerFields(ReturnStatusEntry), { description });

export const Return = Type.Object(
  {
    ...customerFields(
      Type.Object({
        ...ReturnStatusEntry.properties,
        userId: Type.Optional(
          Type.String({
            ...Id,
            description: 'The user who set the status. Omitted for guests. Requires `ORDER_READ` or `ORDER_WRITE`.',
          }),
        ),
      }),
    ),
    value: Type.Optional(
      Type.Integer({
        description:
          "The part of the items' paid amount that hasn't been refunded. Requires `ORDER_READ` or `ORDER_WRITE`.",
        examples: [4900],
      }),
    ),
  },
  { description },
);
export type Return = Static<typeof Return>;

export const ReturnListQuery = Type.Object({
  ...CountedPageQuery.properties,
  status: Type.Optional(OneOf(RETURN_STATUSES)),
  type: Type.Optional(OneOf(RETURN_TYPES)),
  orderId: Type.Optional(Id),
  customerId: Type.Optional(
    Type.String({
      ...Id,
      description:
        'The ID of a user or a customer record. For a customer record, also returns the returns of its user or, if it has no user, of its email address.',
    }),
  ),
});
export type ReturnListQuery = Static<typeof ReturnListQuery>;

export const ApproveInput = Input({
  instructions: Type.Optional(
    Nullable({
      ...Words(5000, 'Send the parcel to 1 Main Street, 10115 Berlin.'),
      description: 'How to send the items back. Defaults to the instructions and the address in the settings.',
    }),
  ),
  labelUrl: Type.Optional(Nullable({ ...Link, description: 'A shipping label for the customer.' })),
});
export type ApproveInput = Static<typeof ApproveInput>;

export const RejectInput = Input({
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Sent to the customer.',
    examples: ['The seal is broken.'],
  }),
});
export type RejectInput = Static<typeof RejectInput>;

export const ReceiveInput = Input({
  restock: Type.Boolean({
    description:
      'True restocks the items; false writes off the shipped ones. Items that were never shipped are always restocked.',
    examples: [true],
  }),
});
export type ReceiveInput = Static<typeof ReceiveInput>;

export const CloseInput = Input({
  refund: Type.Boolean({
    description:
      'Whether to refund the items. With `exchange`, whether to refund the difference if the new items cost less.',
    examples: [true],
  }),
  amount: Type.Optional({
    ...Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
    description: 'The amount to refund, if it is less than the value of the items.',
    examples: [1000],
  }),
  shipping: Type.Optional({
    ...MoneyMinor,
    description:
      'The shipping amount to refund. Defaults to all of it if the customer withdraws from the whole order, otherwise to 0.',
  }),
  reason: Type.Optional(Type.String({ maxLength: 500, examples: ['Returned unworn'] })),
  exchange: Type.Optional(
    Input(
      { lines: Type.Array(LineInput, { minItems: 1, maxItems: MAX_LINES }) },
      {
        description:
          'Creates an order with these items. The value of the returned items is applied to it. If it costs more, the customer pays the difference.',
      },
    ),
  ),
});
export type CloseInput = Static<typeof CloseInput>;
