import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import type { FieldError } from '../../shared/errors.ts';
import { OneOf } from '../../shared/schemas.ts';
import { type Planned, planStatuses, type StatusEntry, type StatusInput } from '../../shared/statuses.ts';

/** Of collections and entries. Only what is PUBLISHED is seen by everybody. */
export const CONTENT_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

export const ContentStatus = OneOf(CONTENT_STATUSES);
/** Of a POST. */
export const FirstStatus = OneOf(CONTENT_STATUSES, { description: 'Short for `statuses` with this one entry.' });

/** The history and what waits, with what was sent; a new record begins as a DRAFT. Undefined: what is wrong was added to `errors`. */
export const extendStatuses = (
  { caller, businessId, now }: { caller: Caller; businessId: string; now: number },
  { statuses, scheduled = [] }: { statuses: readonly StatusEntry[] } & Planned,
  sent: { statuses?: readonly StatusInput[] | undefined; scheduled?: readonly StatusInput[] | undefined },
  errors: FieldError[],
) =>
  collect(errors, () =>
    planStatuses({
      history: statuses,
      scheduled,
      incoming: sent.statuses,
      rescheduled: sent.scheduled,
      live: 'PUBLISHED',
      allowed: CONTENT_STATUSES,
      initial: 'DRAFT',
      caller,
      businessId,
      nowSeconds: now,
    }),
  );

export const NEW = { statuses: [] } as const;
