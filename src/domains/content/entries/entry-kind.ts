import { currentStatus } from '../../../shared/records/status-history.ts';
import { mapMedia, mediaIdsIn, type RefreshUser } from '../../media/index.ts';
import { type RecordKind, refreshMedia } from '../../publishing/index.ts';
import { redirectPages } from '../../redirects/index.ts';
import { visibleStatuses } from '../access.ts';
import { findCollection, lockCollectionForEntry } from '../collections/queries.ts';
import type { Command, Query } from '../context.ts';
import { collectionIdOf } from '../owners.ts';
import { completeEntry, composeEntry } from './compose-entry.ts';
import { publicEntryResponse } from './entry-responses.ts';
import { draftedSettings, settingsOf, withSettings } from './entry-settings.ts';
import { type EntryRow, existingEntries, findEntry, lockEntry, updateDraft, updateEntry } from './queries.ts';
import type { Entry, EntryChanges } from './schemas.ts';
import { showEntry } from './show-entry.ts';

const stored = ({ doc, version }: EntryRow) => ({ record: doc, version });
const isPublished = ({ statuses }: Entry) => currentStatus(statuses) === 'PUBLISHED';

export const entryKind: RecordKind<Entry, EntryChanges> = {
  hasVersions: true,
  name: 'entry',
  noun: 'Entry',
  prefix: 'ent_',
  permission: 'CONTENT_WRITE',
  live: 'PUBLISHED',
  isCheckedWhenScheduled: true,
  existing: (db, businessId, ids) => existingEntries(db, businessId, ids, false),

  async find({ db, businessId }: Query, id) {
    const row = await findEntry(db, businessId, id);
    return row && stored(row);
  },

  /** Locks the entry, then its collection against deletion: an entry can't leave a collection that is being deleted. */
  async lock({ db: tx, businessId }: Command, id) {
    const row = await lockEntry(tx, businessId, id);
    const collectionId = row && collectionIdOf(row.owner);
    if (!row || (collectionId && !(await lockCollectionForEntry(tx, businessId, collectionId)))) return null;
    return stored(row);
  },

  visibleStatuses: (ctx: Query | Command, { owner }) => visibleStatuses(ctx, owner),
  compose: composeEntry,
  complete: completeEntry,
  withContent: (entry, { locale, blocks, updatedAt, ...draft }) =>
    withSettings({ ...entry, locale, blocks, updatedAt }, settingsOf({ ...entry, ...draftedSettings(draft) })),
  changesFrom: ({ owner, locale, blocks, ...version }) => ({ owner, locale, blocks, ...draftedSettings(version) }),
  parse: (doc) => doc as Entry,
  show: showEntry,
  publicResponse: publicEntryResponse,

  mediaIdsOf: ({ blocks }) => [
    ...mediaIdsIn(blocks),
    ...blocks.filter(({ type }) => type === 'RELATIONSHIP').flatMap(({ value }) => [value].flat()),
  ],
  replaceMedia: (entry, replace) => ({ ...entry, blocks: mapMedia(entry.blocks, replace) }),
  update: (tx, { record, words }, version) => updateEntry(tx, record, words, version),

  /** A changed slug of a published entry redirects the previous path on the storefront. */
  async updateDetails(ctx: Command, before, after) {
    if (
      !isPublished(before) ||
      before.slug === after.slug ||
      !before.slug ||
      !after.slug ||
      before.owner !== after.owner
    )
      return undefined;
    const collectionId = collectionIdOf(after.owner);
    const collection = collectionId && (await findCollection(ctx.db, ctx.businessId, collectionId));
    if (!collection) return undefined;
    const path = (slug: string) => `/${collection.doc.slug}/${slug}`;
    await redirectPages(ctx, [{ from: path(before.slug), to: path(after.slug) }]);
    return undefined;
  },
  updateDraft,

  eventsOf({ before, after, action }) {
    if (action !== 'PUBLISHED' && (isPublished(before) || !isPublished(after))) return [];
    return [{ type: 'entry.published', entity: `entry:${after.id}`, data: after, before }];
  },
};

export const refreshEntryMedia: RefreshUser = (ctx, user) => refreshMedia(ctx, { kind: entryKind, ...user });
