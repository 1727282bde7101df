import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessId, Id, Input, Known, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { DELIVERY_STATUSES, type DeliveryRow } from './delivery-queries.ts';
import { SEND_STATUSES, type SendView } from './send-queries.ts';

export const SendInput = Input({
  scheduledAt: Type.Optional(Nullable(Timestamp)),
  segmentId: Type.Optional(Nullable({ ...Id, description: 'Sends only to the subscribers in this segment.' })),
  resend: Type.Optional(Type.Boolean({ description: 'Set to `true` to resend an entry that was already sent.' })),
});
export type SendInput = Static<typeof SendInput>;

const SendStatus = Known(SEND_STATUSES, Type.String({ examples: ['SENDING'] }));

export const SendStarted = Type.Object({
  id: Id,
  entryId: Id,
  status: SendStatus,
  scheduledAt: Timestamp,
  recipients: Type.Integer({ examples: [2] }),
});
export type SendStarted = Static<typeof SendStarted>;

const Count = Type.Integer({ examples: [0] });

export const Send = Type.Object({
  ...SendStarted.properties,
  segmentId: Nullable(Id),
  total: Count,
  sent: Count,
  failed: Count,
  skipped: Type.Integer({
    description: 'Deliveries skipped because the recipient unsubscribed first or the send was canceled.',
    examples: [0],
  }),
  unknown: Type.Integer({
    description: 'Deliveries whose outcome is unknown, for example because the connection was lost.',
    examples: [0],
  }),
  error: Nullable(Type.String({ description: 'Why a `FAILED` send could not start.', examples: ['ENTRY_NOT_FOUND'] })),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
});
export type Send = Static<typeof Send>;

export const sendOf = (row: SendView): Send => ({
  id: row.id,
  entryId: row.entryId,
  status: row.status,
  scheduledAt: row.scheduledAt,
  recipients: row.recipients,
  segmentId: row.segmentId,
  total: row.total,
  sent: row.sent,
  failed: row.failed,
  skipped: row.skipped,
  unknown: row.unknown,
  error: row.error,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  completedAt: row.completedAt,
});

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const Delivery = Type.Object({
  subscriptionId: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  status: Known(DELIVERY_STATUSES, Type.String({ examples: ['SENT'] })),
  attempts: Count,
  error: Nullable(Type.String()),
  updatedAt: Timestamp,
});
export type Delivery = Static<typeof Delivery>;

export const deliveryOf = ({ name: _, ...row }: DeliveryRow): Delivery => row;

export const SendParams = Type.Object({ businessId: BusinessId, entryId: Id, sendId: Id });
