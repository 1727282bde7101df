import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { type Caller, may } from './caller.ts';
import { collect } from './collect.ts';
import { type FieldError, invalid } from './errors.ts';
import { newId } from './ids.ts';
import { ChosenId, Id, Input, OneOf, Timestamp } from './schemas.ts';

export const StatusEntry = Type.Object({
  id: Id,
  status: Type.String({ examples: ['ACTIVE'] }),
  changedBy: Type.String({ examples: ['USER'] }),
  userId: Type.Optional(Id),
  timestamp: Timestamp,
});
export type StatusEntry = Static<typeof StatusEntry>;

/** What a client may send; everything but `status` is filled in when missing. */
export const StatusInput = Input({
  id: Type.Optional(ChosenId),
  status: Type.String({ minLength: 1, maxLength: 40, examples: ['ACTIVE'] }),
  changedBy: Type.Optional(OneOf(['USER', 'SYSTEM'])),
  userId: Type.Optional(Id),
  timestamp: Type.Optional(Timestamp),
});
export type StatusInput = Static<typeof StatusInput>;

/** A status that waits for its time, in `scheduled`. */
export const ScheduledStatus = Type.Object({
  ...StatusEntry.properties,
  error: Type.Optional(
    Type.String({ description: 'Why it did not come about at its time.', examples: ['blocks.title is required.'] }),
  ),
});
export type ScheduledStatus = Static<typeof ScheduledStatus>;

/** What staff see of a record besides its public fields; left out where there is nothing of it. */
export const plannedFields = {
  scheduled: Type.Optional(
    Type.Array(ScheduledStatus, {
      description:
        'Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list.',
    }),
  ),
  hasDraft: Type.Optional(Type.Boolean({ description: 'Members only: there is a draft beside the public record.' })),
};
export type Planned = { scheduled?: ScheduledStatus[]; hasDraft?: boolean };

/** `scheduled` of a body. */
export const ScheduledInput = Type.Optional(
  Type.Array(StatusInput, {
    maxItems: 100,
    description:
      'Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`.',
  }),
);

/** The order of the history is the order of its entries, not of their timestamps: the last one is current. */
export const currentStatus = (history: readonly StatusEntry[]) => history.at(-1)?.status;

export const systemStatus = (status: string, nowSeconds: number): StatusEntry => ({
  id: newId('st'),
  status,
  changedBy: 'SYSTEM',
  timestamp: nowSeconds,
});

export const userStatus = (status: string, caller: Caller, nowSeconds: number): StatusEntry => ({
  id: newId('st'),
  status,
  changedBy: 'USER',
  userId: caller.userId,
  timestamp: nowSeconds,
});

/** The fields of an entry stand in this order in every document that was stored. */
const ACTOR = /("changedBy":"(?:USER|SYSTEM)"),"userId":"(?:[^"\\]|\\.)*"(?=,"timestamp":\d)/g;

/** The JSON without the users who set its statuses. Strings cannot hold what is looked for: there quotes are escaped. */
const withoutUserIds = (json: string) => json.replaceAll(ACTOR, '$1');

const TAIL = /,"hasDraft":(?:true|false)(?=,"createdAt":\d+,"updatedAt":\d+\}$)/;
const SCHEDULED = ',"scheduled":[';

/**
 * The fields of a record in the order in which they are stored: what is planned stands right before the times at the end, both
 * fields or neither, so that it can be taken out of the text.
 */
export function inStoredOrder<T extends Planned & { createdAt: number; updatedAt: number }>(record: T): T {
  const { scheduled = [], hasDraft = false, createdAt, updatedAt, ...rest } = record;
  const planned = scheduled.length > 0 || hasDraft ? { scheduled, hasDraft } : {};
  return { ...rest, ...planned, createdAt, updatedAt } as unknown as T;
}

/** Nothing but the time of the save differs. */
export function isSameRecord<T extends Planned & { createdAt: number; updatedAt: number }>(a: T, b: T): boolean {
  return isDeepStrictEqual(inStoredOrder({ ...a, updatedAt: 0 }), inStoredOrder({ ...b, updatedAt: 0 }));
}

/** The JSON of a record as those see it who are not members: without what is planned and who set its statuses. */
export function publicJson(json: string): string {
  const end = TAIL.exec(json.slice(-200));
  if (!end) return withoutUserIds(json);
  const tail = json.length - Math.min(200, json.length) + end.index + end[0].length;
  return withoutUserIds(json.slice(0, json.lastIndexOf(SCHEDULED)) + json.slice(tail));
}

/** The statuses that a create has sent: `status` on its own is a short way to begin the history. */
export const sentStatuses = ({ status, statuses }: { status?: string; statuses?: StatusInput[] }) =>
  statuses ?? (status === undefined ? undefined : [{ status }]);

export const MAX_HISTORY = 1000;
export const MAX_AHEAD_SECONDS = 300;

/**
 * The history after a write that carried `incoming`: what is there stays as it is, entries with a new id are added at the
 * end. With no history and nothing sent, the history begins with `initial`. Raises 422 listing every bad entry.
 */
export function extendHistory(options: {
  history: readonly StatusEntry[];
  /** Null in the list: not one to be added. */
  incoming: readonly (StatusInput | null)[] | undefined;
  allowed: readonly string[];
  initial: string;
  field?: string;
  caller: Caller;
  businessId: string;
  nowSeconds: number;
}): StatusEntry[] {
  const { history, incoming, allowed, caller, nowSeconds, field = 'statuses' } = options;
  const known = new Set(history.map((entry) => entry.id));
  const errors: FieldError[] = [];
  const added: StatusEntry[] = [];
  for (const [i, entry] of (incoming ?? []).entries()) {
    if (entry === null || (entry.id !== undefined && known.has(entry.id))) continue;
    if (!allowed.includes(entry.status)) {
      errors.push({
        field: `${field}[${i}].status`,
        error: 'INVALID_VALUE',
        message: `${field}[${i}].status must be one of ${allowed.join(', ')}.`,
      });
    }
    if (entry.timestamp !== undefined && entry.timestamp > nowSeconds + MAX_AHEAD_SECONDS) {
      errors.push({
        field: `${field}[${i}].timestamp`,
        error: 'OUT_OF_RANGE',
        message: `${field}[${i}].timestamp must not lie in the future.`,
      });
    }
    const id = entry.id ?? newId('st');
    known.add(id);
    added.push(completeEntry(entry, id, caller, options.businessId, nowSeconds));
  }
  if (history.length + added.length > MAX_HISTORY) {
    errors.push({ field, error: 'TOO_LONG', message: `${field} has at most ${MAX_HISTORY} entries.` });
  }
  if (errors.length > 0) throw invalid(errors);
  if (history.length === 0 && added.length === 0) return [userStatus(options.initial, caller, nowSeconds)];
  return [...history, ...added];
}

const MAX_SCHEDULED = 20;
/** A clock that is a little ahead of ours schedules nothing. */
const SLACK_SECONDS = 1;

/**
 * The same for records whose statuses may wait for their time: those that lie ahead go to `scheduled`. A list `rescheduled`
 * replaces what waits: what it does not name is cancelled. What is known by its id, in either list, stays as it is. A new record
 * that is to become `live` later begins as a DRAFT.
 */
export function planStatuses(
  options: Omit<Parameters<typeof extendHistory>[0], 'incoming' | 'field'> & {
    incoming: readonly StatusInput[] | undefined;
    scheduled: readonly ScheduledStatus[];
    rescheduled: readonly StatusInput[] | undefined;
    live: string;
  },
): { statuses: StatusEntry[]; scheduled: ScheduledStatus[] } {
  const { history, incoming, rescheduled, live, caller, businessId, nowSeconds } = options;
  const asked = rescheduled && new Set(rescheduled.map(({ id }) => id));
  const kept = options.scheduled.filter(({ id }) => asked?.has(id) ?? true);
  const known = new Set([...history, ...options.scheduled].map(({ id }) => id));
  const isNew = ({ id }: StatusInput) => id === undefined || !known.has(id);
  const isAhead = ({ timestamp = 0 }: StatusInput) => timestamp > nowSeconds + SLACK_SECONDS;
  const errors: FieldError[] = [];
  const added: ScheduledStatus[] = [];
  const schedule = (field: string, entries: readonly StatusInput[]) => {
    for (const [i, entry] of entries.entries()) {
      if (!isNew(entry) || (field === 'statuses' && !isAhead(entry))) continue;
      if (!options.allowed.includes(entry.status)) {
        const message = `${field}[${i}].status must be one of ${options.allowed.join(', ')}.`;
        errors.push({ field: `${field}[${i}].status`, error: 'INVALID_VALUE', message });
      } else if (!isAhead(entry)) {
        const message = `${field}[${i}].timestamp must lie ahead: what is to happen now goes into statuses.`;
        errors.push({ field: `${field}[${i}].timestamp`, error: 'OUT_OF_RANGE', message });
      } else {
        const id = entry.id ?? newId('st');
        known.add(id);
        added.push(completeEntry(entry, id, caller, businessId, nowSeconds));
      }
    }
  };
  schedule('statuses', incoming ?? []);
  schedule('scheduled', rescheduled ?? []);
  const scheduled = [...kept, ...added].sort((a, b) => a.timestamp - b.timestamp);
  if (scheduled.length > MAX_SCHEDULED) {
    errors.push({ field: 'scheduled', error: 'TOO_LONG', message: `At most ${MAX_SCHEDULED} statuses can wait.` });
  }
  const initial = scheduled.some(({ status }) => status === live) ? 'DRAFT' : options.initial;
  const immediate = incoming?.map((entry) => (isNew(entry) && !isAhead(entry) ? entry : null));
  const statuses = collect(errors, () => extendHistory({ ...options, incoming: immediate, initial }));
  if (errors.length > 0 || !statuses) throw invalid(errors);
  return { statuses, scheduled };
}

/** What is due joins the history, in the order of time. `joined`: these; empty when nothing is due. */
export function joinDue(history: readonly StatusEntry[], scheduled: readonly ScheduledStatus[], nowSeconds: number) {
  const joined = scheduled.filter((entry) => entry.error === undefined && entry.timestamp <= nowSeconds);
  const waiting = scheduled.filter((entry) => !joined.includes(entry));
  return { statuses: [...history, ...joined].slice(-MAX_HISTORY), scheduled: waiting, joined };
}

/** When the next of them is due; null: none. One that failed is not tried again. */
export const nextDue = (scheduled: readonly ScheduledStatus[] = []): number | null =>
  scheduled.find(({ error }) => error === undefined)?.timestamp ?? null;

/** Only an ADMIN or an API key may name another user, or the system, as the one who acted. */
export function completeEntry(
  entry: StatusInput,
  id: string,
  caller: Caller,
  businessId: string,
  nowSeconds: number,
): StatusEntry {
  const trusted = caller.provider === 'API' || may(caller, businessId, 'ADMIN');
  const changedBy = (trusted && entry.changedBy) || 'USER';
  const userId = trusted ? (entry.userId ?? (changedBy === 'USER' ? caller.userId : undefined)) : caller.userId;
  return {
    id,
    status: entry.status,
    changedBy,
    ...(userId === undefined ? {} : { userId }),
    timestamp: entry.timestamp ?? nowSeconds,
  };
}
