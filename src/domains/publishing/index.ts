/**
 * Publishing: what readers see, and when. A **version** is what a record was after a change; a **draft** is a version beside the
 * public record. A status that is **scheduled** joins the record's history at its time. A **release** publishes many records at one
 * instant, or none of them. A **preview** shows the draft to whoever has its address.
 *
 * Invariants: a version is written in the transaction of its change, and never changes. Readers see a record's public document only,
 * whatever is drafted or scheduled. What is due is done once, in a transaction that leaves nothing due behind, by whichever process
 * comes first; a job wakes at the time, and a sweep finds what a lost job has left. The domains that own the records register how
 * theirs are published.
 */
import type { Platform } from '../../context/index.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { PublishingServices } from './context.ts';
import type { DueKind, RecordKind } from './kinds.ts';
import { createPreviewTokens } from './preview.ts';
import { releases } from './run-release.ts';
import { type DueJob, PUBLISH_DUE, publishDue, SWEEP_DUE, sweepDue } from './schedule.ts';

export type { PublishingServices } from './context.ts';
export { changedFields } from './diff.ts';
export type { RecordKind } from './kinds.ts';
export { authorOf, formerOf, type Noted, versionOf, versionReads } from './new-version.ts';
export type { Current } from './read-versions.ts';
export { planScheduled, withError } from './schedule.ts';
export {
  asksForDraft,
  CompareQuery,
  DraftQuery,
  EntryVersionParams,
  PreviewLink,
  ProductVersionParams,
  PublishInput,
  Version,
  VersionDetail,
} from './schemas.ts';
export {
  type Author,
  deleteVersions,
  findDraft,
  findVersion,
  type NewVersion,
  updateDraftDocument,
  type VersionAction,
  withVersion,
} from './version-queries.ts';

/** Records and releases that one process publishes at once. */
const CONCURRENCY = 4;

export function createPublishing(platform: Platform) {
  const kinds = new Map<string, RecordKind>();
  const known = <T>(kind: T | undefined, name: string): T => {
    if (kind === undefined) throw new Error(`Nobody has registered how "${name}" is published.`);
    return kind;
  };
  platform.handleJobs<DueJob, PublishingServices>({
    name: PUBLISH_DUE,
    urgent: true,
    oncePerKey: true,
    concurrency: CONCURRENCY,
    handle: publishDue,
  });
  platform.handleJobs<object, PublishingServices>({ name: SWEEP_DUE, cron: '* * * * *', handle: sweepDue });
  const recordKind = (name: string): RecordKind => known(kinds.get(name), name);
  return {
    previewTokens: createPreviewTokens(deriveKey(platform.config.secretKey, 'previews')),
    /** Records of this kind, `entry`, are published like this. */
    registerKind: (name: string, kind: RecordKind): void => void kinds.set(name, kind),
    recordKind,
    recordKinds: (): RecordKind[] => [...kinds.values()],
    kindOf: (name: string): DueKind => (name === 'release' ? releases : recordKind(name)),
    /** The kinds of these names, `entry:ent_…`. */
    kindsIn: (names: readonly string[]): RecordKind[] =>
      [...new Set(names.map((name) => name.slice(0, name.indexOf(':'))))].map(recordKind),
    /** Null: an id of nothing that is published. */
    kindOfId: (id: string): string | null => [...kinds].find(([, { prefix }]) => id.startsWith(prefix))?.[0] ?? null,
  };
}

export type Publishing = ReturnType<typeof createPublishing>;
