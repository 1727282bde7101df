import Type, { type Static } from 'typebox';
import { ChosenId, Id, Input, Known, OneOf, Timestamp } from '../schemas.ts';

const ChangedBy = Known(['USER', 'SYSTEM'], Type.String({ examples: ['USER'] }));

/** A status entry as shown to the public. */
export const PublicStatusEntry = Type.Object({
  id: Id,
  status: Type.String({ examples: ['ACTIVE'] }),
  changedBy: ChangedBy,
  timestamp: Timestamp,
});

/** A status entry as shown to the customer of a record. It has a `userId` if the customer set the status. */
export const CustomerStatusEntry = Type.Object({
  ...PublicStatusEntry.properties,
  userId: Type.Optional(Id),
});

/** A status entry as stored and as shown to members. */
export const StatusEntry = Type.Object({
  id: Id,
  status: Type.String({ examples: ['ACTIVE'] }),
  changedBy: ChangedBy,
  userId: Type.Optional(Id),
  timestamp: Timestamp,
});
export type StatusEntry = Static<typeof StatusEntry>;

/** A status entry in a body. `completeEntry` fills in the missing fields. */
export const StatusInput = Input({
  id: Type.Optional(ChosenId),
  status: Type.String({ minLength: 1, maxLength: 40, examples: ['ACTIVE'] }),
  changedBy: Type.Optional(OneOf(['USER', 'SYSTEM'])),
  userId: Type.Optional(Id),
  timestamp: Type.Optional(Timestamp),
});
export type StatusInput = Static<typeof StatusInput>;

/** An entry of `scheduled`: it joins `statuses` at its `timestamp`. */
export const ScheduledStatus = Type.Object({
  ...StatusEntry.properties,
  error: Type.Optional(
    Type.String({
      description: 'Why the status was not applied when it was due.',
      examples: ['blocks.title is required.'],
    }),
  ),
});
export type ScheduledStatus = Static<typeof ScheduledStatus>;

/** The field `scheduled` of a body. */
export const ScheduledInput = (entry: typeof StatusInput) =>
  Type.Optional(
    Type.Array(entry, {
      maxItems: 100,
      description:
        'Replaces the list: omitted entries are canceled. A status with a future `timestamp` can be added here or in `statuses`.',
    }),
  );

/** The same entry with the statuses of one type of record. */
export const withStatuses = <
  T extends
    | typeof PublicStatusEntry
    | typeof CustomerStatusEntry
    | typeof StatusEntry
    | typeof StatusInput
    | typeof ScheduledStatus,
>(
  entry: T,
  statuses: readonly string[],
): T => {
  const status = { ...Known(statuses, entry.properties.status), examples: [statuses.at(-1)] };
  return { ...entry, properties: { ...entry.properties, status } };
};
