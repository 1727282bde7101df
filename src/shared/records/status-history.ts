import { type FieldError, invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Caller, may } from '../security/caller.ts';
import type { StatusEntry, StatusInput } from './status-schemas.ts';

/** The last entry is current, regardless of timestamps. */
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

/** The statuses in a body. `status` is shorthand for one new entry; a status that the record already has adds none. */
export const sentStatuses = (
  { status, statuses }: { status?: string | undefined; statuses?: StatusInput[] | undefined },
  history: readonly StatusEntry[] = [],
) => statuses ?? (status === undefined || status === currentStatus(history) ? undefined : [{ status }]);

export const MAX_HISTORY = 1000;
export const MAX_AHEAD_SECONDS = 300;

/**
 * Appends the entries of `incoming` whose ID is missing or new. Existing entries never change. A history that would stay
 * empty starts with `initial`. Throws 422 with all invalid entries.
 */
export function extendHistory(options: {
  history: readonly StatusEntry[];
  /** Null is a placeholder for an entry that is not added here, so that the indexes in errors stay correct. */
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
        message: `${field}[${i}].timestamp must not be in the future.`,
      });
    }
    const id = entry.id ?? newId('st');
    known.add(id);
    added.push(completeEntry(entry, id, caller, options.businessId, nowSeconds));
  }
  if (history.length + added.length > MAX_HISTORY) {
    errors.push({ field, error: 'TOO_LONG', message: `${field} must have at most ${MAX_HISTORY} items.` });
  }
  if (errors.length > 0) throw invalid(errors);
  if (history.length === 0 && added.length === 0) return [userStatus(options.initial, caller, nowSeconds)];
  return [...history, ...added];
}

/** Fills in the missing fields. Only an ADMIN or an API key can set another user or the system as the author. */
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
