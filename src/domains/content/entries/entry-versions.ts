import type { StepsOf, Versioned } from '../../../context/index.ts';
import { type PreparedTexts, prepareTexts } from '../../../shared/blocks.ts';
import { notFound } from '../../../shared/errors.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { findUsedMedia, mapMedia, mediaIdsIn } from '../../media/index.ts';
import { type Current, findVersion, formerOf, versionReads } from '../../publishing/index.ts';
import type { Command, ContentServices, Query } from '../context.ts';
import { applyChanges } from './change-entry.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { type EntryRow, findEntry } from './queries.ts';
import { isStaffOf } from './save-draft.ts';
import { lockedEntry } from './save-entry.ts';
import type { Entry } from './schemas.ts';

/** For those who see the entry before it is public. */
async function currentEntry(ctx: Query, id: string): Promise<Current> {
  const row = await findEntry(ctx.db, ctx.businessId, id);
  if (!row || !(await isStaffOf(ctx, row.owner))) throw notFound('Entry');
  const { version, doc } = row;
  const parse = (text: string) => answered(JSON.parse(text) as Entry, ctx.publicUrl());
  return { entity: `entry:${id}`, ...formerOf(version, JSON.parse(doc)), doc, parse };
}

export const entryVersions = versionReads(currentEntry);

type Restore = { id: string; number: number };

/** The content of a former version as a change of today: checked as one, a version of its own, and public if the entry is. */
export const restoreEntry: StepsOf<ContentServices, Restore, PreparedTexts, Versioned<Entry>, Versioned<Entry>> = {
  async prepare(ctx, { id, number }) {
    const former = await findVersion(ctx.db, ctx.businessId, `entry:${id}`, number);
    return prepareTexts(former && (JSON.parse(former.doc) as Entry).blocks);
  },
  async execute(ctx, { id, number }, texts) {
    const row = await lockVisibleEntry(ctx, id);
    ctx.checkVersion(row.version);
    const former = await findVersion(ctx.db, ctx.businessId, `entry:${id}`, number);
    if (!former && number === row.version) return unchanged(ctx, row);
    if (!former) throw notFound('Version');
    const { owner, locale, blocks } = JSON.parse(former.doc) as Entry;
    const changes = { owner, locale, blocks: await withLivingMedia(ctx, blocks) };
    return applyChanges(ctx, lockedEntry(row), changes, texts, { action: 'RESTORED', restoredFrom: number });
  },
};

/** The version that an entry has now is not stored before its content changes. */
const unchanged = (ctx: Command, { doc, version }: EntryRow): Versioned<Entry> => ({
  record: answered(JSON.parse(doc) as Entry, ctx.publicUrl()),
  version,
});

/** Files that were deleted since do not come back. */
async function withLivingMedia(ctx: Command, blocks: Entry['blocks']): Promise<Entry['blocks']> {
  const living = await findUsedMedia(ctx, mediaIdsIn(blocks));
  return mapMedia(blocks, (item) => ('hash' in item && !living.has(item.id ?? '') ? null : item));
}
