/** The interface between publishing and a kind of record. The owning domain implements it, and `services.ts` registers it. */
import type { Command, Query } from '../../context/index.ts';
import type { Db, Tx } from '../../db/sql.ts';
import type { PreparedTexts } from '../../shared/blocks/index.ts';
import type { FieldError, ServiceError } from '../../shared/errors.ts';
import type { NewEvent } from '../../shared/events.ts';
import type { Version } from '../../shared/records/etag.ts';
import type { Planned } from '../../shared/records/planned-fields.ts';
import type { SerializedJson } from '../../shared/records/serializer.ts';
import type { StatusEntry } from '../../shared/records/status-schemas.ts';
import type { Media } from '../../shared/schemas.ts';
import type { Permission } from '../../shared/security/caller.ts';
import type { NewVersion, VersionAction } from './version-queries.ts';

/** The audience of a preview. */
export type PreviewAudience = 'reader' | 'public';

/** The handler of a row of `planned`: a record with a scheduled status, or a release. */
export type DueKind = {
  /** Publishes the due record. Throws if it can't be published. */
  publishDue(ctx: Command, id: string): Promise<void>;
  /** Records a permanent failure. */
  recordFailure(ctx: Command, id: string, error: ServiceError): Promise<void>;
};

export type PublishedRecord = Planned & {
  id: string;
  businessId: string;
  statuses: StatusEntry[];
  blocks: readonly unknown[];
  createdAt: number;
  updatedAt: number;
};

/** A record as stored. Products also have a `stockVersion`, which is part of their ETag. */
export type Stored<R> = { record: R; version: number; stockVersion?: number };

/** The result of a change. `words` are the new full-text index; null if unchanged or if the kind has its own search. */
export type Composed<R> = { record: R; words: readonly string[] | null };

type KindBasics<R extends PublishedRecord> = {
  /** The record's name in error messages. */
  noun: string;
  prefix: string;
  permission: Permission;
  /** The status in which a record is public. */
  live: string;
  existing(db: Db, businessId: string, ids: readonly string[]): Promise<string[]>;
  /** Locks the record regardless of the caller. Null if it does not exist. */
  lock(ctx: Command, id: string): Promise<Stored<R> | null>;
  /** Completes fields that depend on the previous record, before the change is written. */
  settle?(ctx: Command, before: R, after: R): Promise<R>;
  /** Writes the record's own row and increments its version. A null `version` means the content is unchanged. */
  update(tx: Tx, composed: Composed<R>, version: NewVersion | null): Promise<unknown>;
  /** Writes related rows. Returns the new stock version if stock was written. */
  updateDetails?(ctx: Command, before: R, after: R, userId: string | null): Promise<number | undefined>;
  /** The record as members see it. */
  show(record: R, publicUrl: string): R;
  /** Events to emit besides `….updated`. */
  eventsOf?(change: { before: R; after: R; action: VersionAction }): NewEvent[];
};

/** Records without versions. They can be published, scheduled and added to releases. */
export type PlainKind<R extends PublishedRecord = PublishedRecord> = KindBasics<R> & {
  hasVersions: false;
  name: 'collection';
};

/** Records with drafts and versions. */
export type RecordKind<R extends PublishedRecord = PublishedRecord, Changes = unknown> = KindBasics<R> & {
  hasVersions: true;
  name: 'entry' | 'product';
  find(ctx: Query, id: string): Promise<Stored<R> | null>;
  /** The statuses in which the caller sees this record. */
  visibleStatuses(ctx: Query | Command, record: R): readonly string[] | Promise<readonly string[]>;
  /** Whether the change sets quantities, in which case If-Match must include the current stock version. */
  setsStock?(changes: Changes): boolean;
  /** Applies `changes` to a record or its draft. Throws a 422 that lists every invalid field. */
  compose(ctx: Command, change: Change<R, Changes>): Promise<Composed<R>>;
  /** The record with its draft's content, validated as public content. Throws 422. */
  complete(ctx: Command, record: R, draft: R | null): Promise<R>;
  /** Whether a record must already be complete when publishing is scheduled. */
  isCheckedWhenScheduled: boolean;
  /** The record with the draft's content. */
  withContent(record: R, draft: R): R;
  /** The changes that restore this version's content. */
  changesFrom(version: R): Changes;
  /** Parses a version's document. */
  parse(doc: object): R;
  /** A version's document as shown to callers. */
  showVersion?(version: R, publicUrl: string): object;
  /** The response for non-members. A reader has access to a record that the public sees only in part. */
  publicResponse(record: R, publicUrl: string, audience: PreviewAudience): SerializedJson;
  /** Rich text fields outside blocks. */
  richTextsOf?(record: R): string[];
  /** Media files the record uses. */
  mediaIdsOf(record: R): unknown[];
  /** Replaces media files in the record. */
  replaceMedia(record: R, replace: ReplaceMedia): R;
  /** Writes a record after its draft was saved. Search and filters still use the published content. */
  updateDraft(tx: Tx, record: R, version: NewVersion | null): Promise<void>;
};

/** Returning null removes the file from the record. */
export type ReplaceMedia = <T extends { id?: string }>(item: T) => T | Media | null;

/** With `isDraft`, required values may be missing and statuses must not change. */
export type Change<R, Changes> = { before: R; changes: Changes; texts: PreparedTexts; isDraft: boolean };

export type PublishableKind<R extends PublishedRecord = PublishedRecord> = PlainKind<R> | RecordKind<R>;

/** Reported when a draft changes the status. */
export const DRAFT_STATUS_ERROR: FieldError = {
  field: 'statuses',
  error: 'INVALID_VALUE',
  message: "A draft can't change the status. Publish the draft, or send the status without draft=true.",
};

/** The version in the ETag. */
export const fullVersion = ({ version, stockVersion }: Omit<Stored<unknown>, 'record'>): Version =>
  stockVersion === undefined ? version : `${version}.${stockVersion}`;
