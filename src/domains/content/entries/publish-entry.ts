import type { Steps as AnySteps, Versioned } from '../../../context/index.ts';
import { AS_IT_IS } from '../../../shared/blocks.ts';
import { type FieldError, invalid, notFound, type ServiceError } from '../../../shared/errors.ts';
import { answered, withAddresses } from '../../../shared/own-addresses.ts';
import {
  currentStatus,
  inStoredOrder,
  joinDue,
  publicJson,
  type ScheduledStatus,
  type StatusEntry,
  systemStatus,
  userStatus,
} from '../../../shared/statuses.ts';
import { type Author, authorOf, type RecordKind, withError } from '../../publishing/index.ts';
import { lockCollectionForEntry } from '../collections/queries.ts';
import type { Command } from '../context.ts';
import { collectionIdOf } from '../owners.ts';
import { extendStatuses } from '../statuses.ts';
import { findDraftOf } from './find-draft.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { existingEntries, findEntry, lockEntry } from './queries.ts';
import { checkContent } from './rules.ts';
import { type LockedEntry, lockedEntry, saveEntry } from './save-entry.ts';
import type { Entry } from './schemas.ts';

/** Now, or at a time: then it must be complete already. */
export async function publishEntry(ctx: Command, { id, at }: { id: string; at?: number }): Promise<Versioned<Entry>> {
  const locked = lockedEntry(await lockVisibleEntry(ctx, id));
  ctx.checkVersion(locked.row.version);
  const { statuses } = locked.entry;
  const sent = { statuses: [{ status: 'PUBLISHED', ...(at === undefined ? {} : { timestamp: at }) }] };
  const errors: FieldError[] = [];
  const planned = extendStatuses(ctx, locked.entry, sent, errors);
  if (!planned) throw invalid(errors);
  const author = authorOf(ctx.caller);
  if (planned.statuses.length > statuses.length) {
    const status = locked.row.status === 'PUBLISHED' ? [] : [userStatus('PUBLISHED', ctx.caller, ctx.now)];
    return publish(ctx, locked, { statuses: [...statuses, ...status], scheduled: planned.scheduled, author });
  }
  await completeContent(ctx, (await findDraftOf(ctx.db, locked.entry))?.entry ?? locked.entry);
  const record = { ...locked.entry, scheduled: planned.scheduled };
  return saveEntry(ctx, locked, {
    ...{ record, words: null, media: null, action: 'UPDATED', ...author, isPublishing: false },
  });
}

type Planned = { statuses: StatusEntry[]; scheduled: ScheduledStatus[]; author: Author };

/** The draft becomes what readers see; without one the entry itself does. Already public and without a draft, it stays as it is. */
async function publish(ctx: Command, locked: LockedEntry, { author, ...planned }: Planned): Promise<Versioned<Entry>> {
  const { row, entry } = locked;
  const draft = await findDraftOf(ctx.db, entry);
  const isUnchanged = !draft && planned.statuses.length === entry.statuses.length;
  if (isUnchanged) return { record: answered(entry, ctx.publicUrl()), version: row.version };
  const { blocks, media } = await completeContent(ctx, draft?.entry ?? entry);
  const { locale } = draft?.entry ?? entry;
  const record = { ...entry, ...planned, locale, blocks, hasDraft: false, updatedAt: ctx.now };
  const words = draft && onceOnly(draft.words);
  return saveEntry(ctx, locked, { record, words, media, action: 'PUBLISHED', ...author, isPublishing: true });
}

/** All words of all texts, whichever text is asked for first. */
function onceOnly(words: readonly string[]): () => readonly string[] {
  let left = words;
  return () => {
    const given = left;
    left = [];
    return given;
  };
}

/** Checked as what is public. Its texts were sanitised when they were stored. */
async function completeContent(ctx: Command, { owner, blocks }: Entry) {
  const texts = { sanitize: AS_IT_IS, words: () => [] };
  const content = await checkContent(ctx, { owner, ownerField: 'owner', blocks, draft: false, texts });
  if (content.errors.length > 0) throw invalid(content.errors);
  return content;
}

/** The lock of an entry whose collection is there, without anybody who asks. */
async function lockLiving(ctx: Command, id: string): Promise<LockedEntry | null> {
  const row = await lockEntry(ctx.db, ctx.businessId, id);
  const collectionId = row && collectionIdOf(row.owner);
  if (!row || (collectionId && !(await lockCollectionForEntry(ctx.db, ctx.businessId, collectionId)))) return null;
  return lockedEntry(row);
}

export const entryKind: RecordKind = {
  permission: 'CONTENT_WRITE',
  prefix: 'ent_',
  existing: (db, businessId, ids) => existingEntries(db, businessId, ids, false),

  async publish(ctx: Command, id: string): Promise<void> {
    const locked = await lockLiving(ctx, id);
    if (!locked) throw notFound('Entry');
    const { statuses, scheduled = [] } = locked.entry;
    const status = locked.row.status === 'PUBLISHED' ? [] : [systemStatus('PUBLISHED', ctx.now)];
    await publish(ctx, locked, { statuses: [...statuses, ...status], scheduled, author: { userId: null } });
  },

  async publishDue(ctx: Command, id: string): Promise<void> {
    const locked = await lockLiving(ctx, id);
    if (!locked) return;
    const { joined, ...planned } = joinDue(locked.entry.statuses, locked.entry.scheduled ?? [], ctx.now);
    const last = joined.at(-1);
    if (!last) return;
    const author = { userId: last.userId ?? null };
    if (currentStatus(planned.statuses) === 'PUBLISHED')
      return void (await publish(ctx, locked, { ...planned, author }));
    await saveEntry(ctx, locked, {
      record: { ...locked.entry, ...planned, updatedAt: ctx.now },
      ...{ words: null, media: null, action: 'UPDATED', ...author, isPublishing: false },
    });
  },

  async refuseDue(ctx: Command, id: string, error: ServiceError): Promise<void> {
    const locked = await lockLiving(ctx, id);
    if (!locked) return;
    const record = { ...locked.entry, scheduled: withError(locked.entry.scheduled, error, ctx.now) };
    await saveEntry(ctx, locked, {
      ...{ record, words: null, media: null, action: 'UPDATED', userId: null, isPublishing: false },
    });
  },

  async preview(ctx: AnySteps, id: string): Promise<string | null> {
    const row = await findEntry(ctx.db, ctx.businessId, id);
    if (!row) return null;
    const { entry } = lockedEntry(row);
    const draft = (await findDraftOf(ctx.db, entry))?.entry ?? entry;
    return withAddresses(publicJson(JSON.stringify(inStoredOrder(draft))), ctx.publicUrl());
  },
};
