/**
 * Content: collections and entries. A **collection** has a schema of **blocks** and, for newsletters, plans. An **entry**
 * holds values for these blocks and belongs to an **owner**: a collection, an order or a reservation.
 *
 * Invariants: every stored value was validated against the schema at the time, and rich text is sanitized. A schema may
 * change, and existing entries stay readable. Entries live only as long as their collection: writing an entry locks the
 * collection, and deleting a collection marks it, so that neither is found after the commit; a job deletes the rows.
 * An entry's index is written in the same transaction as the entry.
 */
import type { Platform } from '../../context/index.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { openAiModel } from '../../providers/ai/openai.ts';
import { notFound } from '../../shared/errors.ts';
import type { FindActivePlans, ListSentEntries } from './access.ts';
import { createBlockSchemas } from './collections/block-schemas.ts';
import { CLEAR_COLLECTIONS, clearCollections, type DeleteRows } from './collections/clear-collections.ts';
import { createCollectionResponses } from './collections/collection-responses.ts';
import {
  existingCollections,
  findCollection,
  findCollectionId,
  lockCollectionForEntry,
} from './collections/queries.ts';
import type { Collection } from './collections/schemas.ts';
import type { DeletionGuard } from './deletion-guard.ts';
import { createEntryResponses } from './entries/entry-responses.ts';
import { existingEntries, findEntry, lockEntryForUse } from './entries/queries.ts';
import { REINDEX_ENTRIES, reindexEntries } from './entries/reindex-entries.ts';
import type { Entry } from './entries/schemas.ts';
import { collectionIdOf } from './owners.ts';
import { checkReferences, createReferences, type FindExisting, type FindOrder } from './references.ts';
import type { Content } from './service.ts';

export { collectionKind } from './collections/collection-kind.ts';
export { addCollection, createCollection } from './collections/create-collection.ts';
export { existingCollections, listCollectionDocs } from './collections/queries.ts';
export {
  type Collection,
  CollectionInput,
  type CollectionSettings,
  NewsletterDesign,
  type Plan,
} from './collections/schemas.ts';
export type { ContentServices } from './context.ts';
export type { DeletionGuard } from './deletion-guard.ts';
export { addEntry } from './entries/create-entry.ts';
export { entryKind, refreshEntryMedia } from './entries/entry-kind.ts';
export type { EntrySettings } from './entries/entry-settings.ts';
export { eraseEntriesOf, listEntriesOf } from './entries/erase-entries.ts';
export { type EntryImport, importEntries } from './entries/import-entries.ts';
export { listFeed } from './entries/lists/list-feed.ts';
export { listEntriesForExport } from './entries/lists/list-for-export.ts';
export { findSitemapEntryStart, listSitemapEntries } from './entries/lists/site-queries.ts';
export { getPublicCollection, previewEntryDraft } from './entries/preview-entry.ts';
export { checkDraft } from './entries/rules.ts';
export { type Entry, EntryInput, EntryPreviewInput, PublicEntry } from './entries/schemas.ts';
export { contentEvents } from './event-schemas.ts';
export type { Content } from './service.ts';

/** By ID or slug. */
export async function getCollection(
  db: Db,
  businessId: string,
  idOrSlug: string,
): Promise<Collection & { version: number }> {
  const id = await findCollectionId(db, businessId, idOrSlug);
  const row = id && (await findCollection(db, businessId, id));
  if (!row) throw notFound('Collection');
  return { ...row.doc, version: row.version };
}

export async function getEntry(db: Db, businessId: string, id: string): Promise<Entry & { version: number }> {
  const row = await findEntry(db, businessId, id);
  if (!row) throw notFound('Entry');
  return { ...row.doc, version: row.version };
}

/** Protects the entry and its collection from deletion until the transaction ends: see `deletion-guard.ts`. */
export async function protectEntry(tx: Tx, businessId: string, id: string): Promise<void> {
  const entry = await lockEntryForUse(tx, businessId, id);
  const collectionId = entry && collectionIdOf(entry.owner);
  if (collectionId) await lockCollectionForEntry(tx, businessId, collectionId);
}

/** Dependencies on other domains. */
type ContentOptions = {
  /** Existence checks for references to records of other domains. */
  existing: Readonly<Record<'USER' | 'PRODUCT' | 'MEDIA' | 'ORDER', FindExisting>>;
  /** Looks up an order's customer, for entries of orders. */
  findOrder: FindOrder;
  deleteDependents: DeleteRows;
  deletionGuard: DeletionGuard;
  findActivePlans: FindActivePlans;
  listSentEntries: ListSentEntries;
};

export function createContent(platform: Platform, options: ContentOptions): Content {
  const { broadcast, config } = platform;
  const { existing, findOrder, deleteDependents, deletionGuard, findActivePlans, listSentEntries } = options;
  const collectionResponses = createCollectionResponses();
  const entryResponses = createEntryResponses(platform);
  broadcast.onReset(collectionResponses.clear);
  broadcast.onReset(entryResponses.clear);
  const clearing = { name: CLEAR_COLLECTIONS, expireSeconds: 3600, handle: clearCollections };
  platform.handleTasks<{ collectionId: string }>({ ...clearing, urgent: true });
  platform.handleJobs<object>({ ...clearing, cron: '*/10 * * * *' });
  platform.handleJobs<object>({
    name: REINDEX_ENTRIES,
    expireSeconds: 3600,
    cron: '*/5 * * * *',
    handle: reindexEntries,
  });
  const references = createReferences(
    { ...existing, COLLECTION: existingCollections, ENTRY: existingEntries },
    findOrder,
  );
  return {
    references,
    schemas: createBlockSchemas(),
    collectionResponses,
    entryResponses,
    model: config.ai ? openAiModel(config.ai) : null,
    deleteDependents,
    deletionGuard,
    findActivePlans,
    listSentEntries,
    checkReferences: (db, businessId, named, options) =>
      checkReferences({ db, businessId, content: { references } }, named, options),
  };
}
