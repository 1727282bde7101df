import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { ScheduledStatus } from './status-schemas.ts';

/** The fields of a record with drafts and a schedule that only members see. Omitted when nothing is planned. */
export const plannedFields = (scheduled: typeof ScheduledStatus) => ({
  scheduled: Type.Optional(
    Type.Array(scheduled, {
      description:
        'Members only: statuses that are added to `statuses` at their `timestamp`. In a PUT, this replaces the list.',
    }),
  ),
  hasDraft: Type.Optional(Type.Boolean({ description: 'Members only: the record has an unpublished draft.' })),
});
export type Planned = { scheduled?: ScheduledStatus[]; hasDraft?: boolean };

/** The record with both planned fields, or with neither when nothing is scheduled and there is no draft. */
export function compactPlanned<T extends Planned>(record: T): T {
  const { scheduled = [], hasDraft = false, ...rest } = record;
  return (scheduled.length > 0 || hasDraft ? { ...rest, scheduled, hasDraft } : rest) as T;
}

/** True if the records are equal except for `updatedAt`. */
export function isSameRecord<T extends Planned & { updatedAt: number }>(a: T, b: T): boolean {
  return isDeepStrictEqual(compactPlanned({ ...a, updatedAt: 0 }), compactPlanned({ ...b, updatedAt: 0 }));
}
