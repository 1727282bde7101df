import type { Caller } from '../../shared/security/caller.ts';
import type { Command } from './context.ts';
import { changedFields } from './diff.ts';
import type { PublishedRecord, RecordKind } from './kinds.ts';
import type { Author, NewVersion, VersionAction } from './version-queries.ts';

export const authorOf = ({ userId, keyId }: Caller): Author => ({ userId, keyId });

export type VersionDetails = Author & { action: VersionAction; restoredFrom?: number };

/** The version a change creates, or null if the content is unchanged. `number` is the record's version before the change. */
export function newVersion<R extends PublishedRecord>(
  { businessId, now, config }: Command,
  { name }: RecordKind<R>,
  { number, before, after }: { number: number; before: R; after: R },
  details: VersionDetails & Pick<NewVersion, 'draft'>,
): NewVersion | null {
  const changed = changedFields(before, after);
  if (changed.length === 0) return null;
  const previous = { number, ...firstVersion(before) };
  return { businessId, entity: `${name}:${after.id}`, ...details, changed, now, keep: config.versionsKept, previous };
}

/** A record without stored versions still has the content it was created with. */
export const firstVersion = ({ statuses, createdAt }: PublishedRecord) => ({
  userId: statuses[0]?.userId ?? null,
  createdAt,
});
