import Type, { type Static } from 'typebox';
import { type Caller, may } from './caller.ts';
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

/** A field of a body that creates a record: the short form of `statuses`. */
export const StatusOnCreate = Type.Optional(
  Type.String({ minLength: 1, maxLength: 40, description: 'Short for `statuses: [{status}]`.', examples: ['ACTIVE'] }),
);

/** The statuses that a create has sent, in the long or the short form. */
export const statusesOf = ({ status, statuses }: { status?: string; statuses?: StatusInput[] }) =>
  statuses ?? (status === undefined ? undefined : [{ status }]);

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

/** The JSON of a record without the users who set its statuses. Strings cannot hold what is looked for: there quotes are escaped. */
export const withoutUserIds = (json: string) => json.replaceAll(ACTOR, '$1');

/** `status` on its own is a short way to begin the history. */
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
  incoming: readonly StatusInput[] | undefined;
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
    if (entry.id !== undefined && known.has(entry.id)) continue;
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
        message: `${field}[${i}].timestamp lies in the future.`,
      });
    }
    const id = entry.id ?? newId('st');
    known.add(id);
    added.push(completeEntry(entry, id, caller, options.businessId, nowSeconds));
  }
  if (history.length + added.length > MAX_HISTORY) {
    errors.push({ field, error: 'TOO_LONG', message: `${field} holds at most ${MAX_HISTORY} entries.` });
  }
  if (errors.length > 0) throw invalid(errors);
  if (history.length === 0 && added.length === 0) return [userStatus(options.initial, caller, nowSeconds)];
  return [...history, ...added];
}

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
