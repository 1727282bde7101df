/**
 * Publishing: drafts, versions, schedules, releases and previews. A **version** is a record's content after a change. A **draft** is an
 * unpublished version alongside the public record. A **scheduled** status is added to the record's history at the scheduled time. A
 * **release** publishes many records at once, or none. A **preview** shows a draft to anyone with its URL. A **kind** defines
 * how the records of another domain are locked, validated and written; everything else is shared.
 *
 * Invariants: a version is written in the transaction of its change and never changes. Readers only see published content,
 * never drafts or scheduled changes. `planned` stores when a record is due, and workers poll it. Due work runs exactly once, in the
 * transaction that clears its row.
 */
import type { Platform } from '../../context/index.ts';
import { deriveKey } from '../../shared/security/secrets.ts';
import type { PublishableKind } from './kinds.ts';
import { createPreviewTokens } from './preview.ts';
import { scheduledStatuses } from './publish-record.ts';
import { releases } from './releases/run-release.ts';
import { type DueRow, PLANNED, PUBLISH_DUE, publishDue } from './schedule.ts';
import type { Publishing, RecordKinds } from './service.ts';

export { changeRecord, findChanged, type RecordChange, readDraft } from './change-record.ts';
export type { PublishingServices } from './context.ts';
export { publishingEvents } from './event-schemas.ts';
export {
  type Change,
  type Composed,
  DRAFT_STATUS_ERROR,
  type PlainKind,
  type RecordKind,
  type ReplaceMedia,
} from './kinds.ts';
export { openPreview } from './preview.ts';
export { refreshMedia } from './refresh-media.ts';
export { saveRecord } from './save-record.ts';
export { planScheduled } from './schedule.ts';
export { DraftQuery, isDraftRequested } from './schemas.ts';
export { lockForChange } from './stored-record.ts';
export { deleteVersions, type NewVersion, withVersion } from './version-queries.ts';
export { versionRoutes } from './version-routes.ts';

/** Maximum number of records and releases that one process publishes concurrently. */
const CONCURRENCY = 4;

export function createPublishing(platform: Platform, recordKinds: RecordKinds): Publishing {
  const kinds = new Map<string, PublishableKind>(Object.entries(recordKinds));
  const recordKind = (name: string): PublishableKind => {
    const kind = kinds.get(name);
    if (!kind) throw new Error(`Unknown record kind "${name}".`);
    return kind;
  };
  platform.handleDueRows<DueRow>({
    name: PUBLISH_DUE,
    concurrency: CONCURRENCY,
    table: PLANNED,
    handle: publishDue,
  });
  return {
    previewTokens: createPreviewTokens(deriveKey(platform.config.secretKey, 'previews')),
    recordKind,
    recordKinds: () => [...kinds.values()],
    dueKind: (name) => (name === 'release' ? releases : scheduledStatuses(recordKind(name))),
    kindsIn: (names) => [...new Set(names.map((name) => name.slice(0, name.indexOf(':'))))].map(recordKind),
    kindOfId: (id) => [...kinds].find(([, { prefix }]) => id.startsWith(prefix))?.[0] ?? null,
  };
}
