/** Loads and locks records of any kind. */
import type { Versioned } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import { notFound } from '../../shared/errors.ts';
import { compactPlanned } from '../../shared/records/planned-fields.ts';
import { currentStatus } from '../../shared/records/status-history.ts';
import type { Command, Query } from './context.ts';
import { fullVersion, type PublishableKind, type PublishedRecord, type RecordKind, type Stored } from './kinds.ts';
import { findDraft } from './version-queries.ts';

/** Locks a record for a change by the caller. Throws a 404 if the caller can't see the record. */
export async function lockForChange<R extends PublishedRecord>(
  ctx: Command,
  kind: RecordKind<R>,
  id: string,
): Promise<Stored<R>> {
  const stored = await kind.lock(ctx, id);
  if (!stored) throw notFound(kind.noun);
  const visible = await kind.visibleStatuses(ctx, stored.record);
  if (!visible.includes(currentStatus(stored.record.statuses)!)) throw notFound(kind.noun);
  return stored;
}

/** For callers who can see unpublished records. */
export async function getForStaff<R extends PublishedRecord>(
  ctx: Query,
  kind: RecordKind<R>,
  id: string,
): Promise<Stored<R>> {
  const stored = await kind.find(ctx, id);
  if (!stored || !(await kind.visibleStatuses(ctx, stored.record)).includes('DRAFT')) throw notFound(kind.noun);
  return stored;
}

/** The record with its draft's content. Null if it has no draft. */
export async function findDraftOf<R extends PublishedRecord>(
  db: Db,
  kind: PublishableKind<R>,
  record: R,
): Promise<{ record: R; words: readonly string[] | null } | null> {
  if (!kind.hasVersions || !record.hasDraft) return null;
  const row = await findDraft(db, record.businessId, `${kind.name}:${record.id}`);
  return row && { record: compactPlanned(kind.withContent(record, kind.parse(row.doc))), words: row.words };
}

export const isLive = ({ live }: PublishableKind, { statuses }: PublishedRecord) => currentStatus(statuses) === live;

/** A record as a response. */
export const responseOf = <R extends PublishedRecord>(
  ctx: Query | Command,
  kind: PublishableKind<R>,
  stored: Stored<R>,
): Versioned<R> => ({
  record: shown(ctx, kind, stored.record),
  version: fullVersion(stored),
});

/** A record as members see it. */
export const shown = <R extends PublishedRecord>(
  { publicUrl }: Pick<Query, 'publicUrl'>,
  kind: PublishableKind<R>,
  record: R,
): R => kind.show(record, publicUrl());
