import { collect } from '../../shared/collect.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { Planned } from '../../shared/records/planned-fields.ts';
import { planStatuses } from '../../shared/records/status-schedule.ts';
import type { StatusEntry, StatusInput } from '../../shared/records/status-schemas.ts';
import { OneOf } from '../../shared/schemas.ts';
import type { Caller } from '../../shared/security/caller.ts';

/** Statuses of collections and entries. Only PUBLISHED records are public. */
export const CONTENT_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;

export const ContentStatus = OneOf(CONTENT_STATUSES);
export const StatusShorthand = OneOf(CONTENT_STATUSES, {
  description: 'Shorthand for `statuses` with a single new status.',
});

/** Returns the status history and schedule with the changes applied. New records start as DRAFT. Undefined if it adds an error to `errors`. */
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
