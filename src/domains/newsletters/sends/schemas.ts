import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessId, Id, Input, Known, Line, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { MAX_SUBJECT } from '../rendering/message-size.ts';
import { DELIVERY_STATUSES, type DeliveryRow } from './delivery-queries.ts';
import { METRICS, SEND_STATUSES, type SendView } from './send-queries.ts';
import { alternativesOf } from './versions.ts';

const MAX_VERSIONS = 4;
const MIN_TEST_SECONDS = 60;
const MAX_TEST_SECONDS = 7 * 86_400;

const experimentFields = {
  share: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    description: 'The fraction of the audience in the test groups, from 0 to 1.',
    examples: [0.2],
  }),
  metric: OneOf(METRICS, {
    description:
      'How the winner is chosen: by click rate or open rate, which the newsletter must track, or by a member. The first version wins ties, and wins if no member chooses.',
    examples: ['CLICKS'],
  }),
  after: Type.Integer({
    minimum: MIN_TEST_SECONDS,
    maximum: MAX_TEST_SECONDS,
    description: 'The duration of the test in seconds. A member can choose earlier.',
    examples: [14_400],
  }),
};

const Subjects = {
  description: "The subject lines to test. They replace the entry's subject.",
  examples: [['Linen is back', 'New: linen']],
};
const Subject = Line(MAX_SUBJECT, { minLength: 1, examples: ['Linen is back'] });
const Alternatives = {
  description:
    'Other entries to test against this one, published or not. They must belong to the same newsletter and have the same access. This entry is version 0; the others are versions 1 to 3.',
  examples: [[]],
};

export const ExperimentInput = Input(
  {
    ...experimentFields,
    subjects: Type.Optional(Type.Array(Subject, { ...Subjects, minItems: 2, maxItems: MAX_VERSIONS })),
    alternatives: Type.Optional(
      Type.Array(Id, { ...Alternatives, minItems: 1, maxItems: MAX_VERSIONS - 1, uniqueItems: true }),
    ),
  },
  { description: 'Tests subject lines or content on part of the audience, then sends the winner to the rest.' },
);

export const SendInput = Input({
  localTime: Type.Optional(
    Type.Boolean({
      description:
        "Sends in each subscriber's local time: if `scheduledAt` is 9:00 in the time zone of the business, subscribers get the email at 9:00 in their own time zone.",
    }),
  ),
  experiment: Type.Optional(Nullable(ExperimentInput)),
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

export const Tracking = Type.Object({ opens: Type.Boolean(), clicks: Type.Boolean() });

export const Experiment = Type.Object({
  ...experimentFields,
  subjects: Type.Array(Subject, Subjects),
  alternatives: Type.Array(Id, Alternatives),
  decidesAt: Nullable({
    ...Timestamp,
    description:
      'When the test ends and the winner starts going out to everyone else, unless a member chooses earlier. Null until the send starts.',
  }),
  winner: Nullable(Type.Integer({ description: 'The index of the winning version, starting at 0.', examples: [1] })),
});

export const WinnerInput = Input({
  variant: Type.Integer({
    minimum: 0,
    maximum: MAX_VERSIONS - 1,
    description: 'The index of the winning version, starting at 0.',
    examples: [1],
  }),
});
export type WinnerInput = Static<typeof WinnerInput>;

export const Send = Type.Object({
  ...SendStarted.properties,
  segmentId: Nullable(Id),
  localTime: Type.Boolean({ examples: [false] }),
  tracking: Tracking,
  experiment: Nullable(Experiment),
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
  error: Nullable(
    Type.String({
      description:
        'The error code of a `FAILED` send: `ENTRY_NOT_FOUND`, `SEGMENT_NOT_FOUND`, `NOT_PUBLISHED` or a field error code.',
      examples: ['ENTRY_NOT_FOUND'],
    }),
  ),
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
  localTime: row.localTime,
  tracking: row.tracking ?? { opens: false, clicks: false },
  experiment: row.experiment && {
    ...row.experiment,
    subjects: [...row.experiment.subjects],
    alternatives: [...alternativesOf(row.experiment)],
    decidesAt: row.decidesAt,
    winner: row.winner,
  },
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

export const CurrentSendQuery = Type.Object({
  entryIds: Type.Array(Id, { minItems: 1, maxItems: 100 }),
});
export type CurrentSendQuery = Static<typeof CurrentSendQuery>;

export const CurrentSends = Type.Object({ items: Type.Array(Send) });
export type CurrentSends = Static<typeof CurrentSends>;

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
