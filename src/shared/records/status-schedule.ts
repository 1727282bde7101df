import { collect } from '../collect.ts';
import { type FieldError, invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { completeEntry, extendHistory, MAX_HISTORY } from './status-history.ts';
import type { ScheduledStatus, StatusEntry, StatusInput } from './status-schemas.ts';

const MAX_SCHEDULED = 20;
/** Prevents clients with a slightly fast clock from scheduling by accident. */
const SLACK_SECONDS = 1;

/**
 * `extendHistory` for records with a schedule: entries with a future timestamp go to `scheduled`. `rescheduled` replaces
 * the schedule: entries that it omits are canceled. Entries with a known ID never change. A new record that becomes `live` later
 * starts as a DRAFT.
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
  const requested = rescheduled && new Set(rescheduled.map(({ id }) => id));
  const kept = options.scheduled.filter(({ id }) => requested?.has(id) ?? true);
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
        const message = `${field}[${i}].timestamp must be in the future. Send immediate changes in statuses.`;
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
    errors.push({
      field: 'scheduled',
      error: 'TOO_LONG',
      message: `scheduled must have at most ${MAX_SCHEDULED} items.`,
    });
  }
  const initial = scheduled.some(({ status }) => status === live) ? 'DRAFT' : options.initial;
  const immediate = incoming?.map((entry) => (isNew(entry) && !isAhead(entry) ? entry : null));
  const statuses = collect(errors, () => extendHistory({ ...options, incoming: immediate, initial }));
  if (errors.length > 0 || !statuses) throw invalid(errors);
  return { statuses, scheduled };
}

/** Moves entries that have come due from the schedule into the history, in the order of their timestamps. `joined` lists them. */
export function joinDue(history: readonly StatusEntry[], scheduled: readonly ScheduledStatus[], nowSeconds: number) {
  const joined = scheduled.filter((entry) => entry.error === undefined && entry.timestamp <= nowSeconds);
  const waiting = scheduled.filter((entry) => !joined.includes(entry));
  return { statuses: [...history, ...joined].slice(-MAX_HISTORY), scheduled: waiting, joined };
}

/** When the next entry is due, or null. Failed entries are not retried. */
export const nextDue = (scheduled: readonly ScheduledStatus[] = []): number | null =>
  scheduled.find(({ error }) => error === undefined)?.timestamp ?? null;
