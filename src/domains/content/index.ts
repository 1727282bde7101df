/**
 * Content: what a business writes. A **collection** has a schema of **blocks** and, as a newsletter, plans; an **entry** holds
 * values for them. An entry belongs to its **owner**: a collection, an order or a reservation.
 *
 * Invariants: every stored value has passed the schema of its time, and rich text is sanitised; a schema may move on, its
 * entries stay readable. An entry of a collection exists as long as the collection does: writing an entry locks the collection,
 * and deleting a collection marks it, so that from the commit on neither is found; a job deletes the rows. What an entry can be
 * found by is written with it, in the same transaction.
 */
import type { Platform } from '../../context/index.ts';
import type { Db, Tx } from '../../db/sql.ts';
import { openAiModel } from '../../providers/ai/openai.ts';
import type { Reference } from '../../shared/blocks.ts';
import { createDocumentCaches } from '../../shared/document-cache.ts';
import { type FieldError, notFound } from '../../shared/errors.ts';
import { createBlockSchemas } from './collections/block-schemas.ts';
import { CLEAR_COLLECTIONS, clearCollections, type DeleteRows } from './collections/clear-collections.ts';
import {
  existingCollections,
  findCollection,
  findCollectionId,
  lockCollectionForEntry,
} from './collections/queries.ts';
import type { Collection } from './collections/schemas.ts';
import type { ContentServices } from './context.ts';
import { createDeletionGuards } from './deletion-guards.ts';
import { existingEntries, findEntry, lockEntryForUse } from './entries/queries.ts';
import { REINDEX_ENTRIES, reindexEntries } from './entries/reindex-entries.ts';
import type { Entry } from './entries/schemas.ts';
import { collectionIdOf } from './owners.ts';
import { checkReferences, createReferences } from './references.ts';

export { createCollection } from './collections/create-collection.ts';

export { collectionKind } from './collections/publish-collection.ts';
export { existingCollections, listCollectionDocs } from './collections/queries.ts';
export { type Collection, CollectionInput, type CollectionSettings, type Plan } from './collections/schemas.ts';
export type { ContentServices } from './context.ts';
export type { DeletionGuard } from './deletion-guards.ts';
export { createEntry } from './entries/create-entry.ts';
export { eraseEntriesOf, listEntriesOf } from './entries/erase-entries.ts';
export { type EntryImport, importEntries } from './entries/import-entries.ts';
export { entryKind } from './entries/publish-entry.ts';
export { listEntriesForExport } from './entries/queries.ts';

export { refreshEntryMedia, setEntryMedia } from './entries/refresh-media.ts';
export { checkDraft } from './entries/rules.ts';
export { type Entry, EntryBlock, EntryInput } from './entries/schemas.ts';
export { checkReferences } from './references.ts';

/** By its id or its slug. */
export async function getCollection(
  db: Db,
  businessId: string,
  idOrSlug: string,
): Promise<Collection & { version: number }> {
  const id = await findCollectionId(db, businessId, idOrSlug);
  const row = id && (await findCollection(db, businessId, id));
  if (!row) throw notFound('Collection');
  return { ...(JSON.parse(row.doc) as Collection), version: row.version };
}

export async function getEntry(db: Db, businessId: string, id: string): Promise<Entry & { version: number }> {
  const row = await findEntry(db, businessId, id);
  if (!row) throw notFound('Entry');
  return { ...(JSON.parse(row.doc) as Entry), version: row.version };
}

/** Neither the entry nor its collection can be deleted before the transaction ends: see `deletion-guards.ts`. */
export async function protectEntry(tx: Tx, businessId: string, id: string): Promise<void> {
  const entry = await lockEntryForUse(tx, businessId, id);
  const collectionId = entry && collectionIdOf(entry.owner);
  if (collectionId) await lockCollectionForEntry(tx, businessId, collectionId);
}

export function createContent(platform: Platform) {
  const { broadcast, config } = platform;
  const references = createReferences();
  references.registerReferenceTarget('COLLECTION', existingCollections);
  references.registerReferenceTarget('ENTRY', existingEntries);
  const documents = createDocumentCaches();
  broadcast.onReset(documents.clear);
  platform.handleJobs<{ collectionId?: string }, ContentServices>({
    name: CLEAR_COLLECTIONS,
    expireSeconds: 3600,
    urgent: true,
    cron: '*/10 * * * *',
    handle: clearCollections,
  });
  platform.handleJobs<object, ContentServices>({
    name: REINDEX_ENTRIES,
    expireSeconds: 3600,
    cron: '*/5 * * * *',
    handle: reindexEntries,
  });
  const dependents: DeleteRows[] = [];
  const deletionGuards = createDeletionGuards();
  const content = {
    references,
    schemas: createBlockSchemas(),
    /** Of entries and collections, by version. */
    documents,
    /** Null: the built-in generator. */
    model: config.ai ? openAiModel(config.ai) : null,
    dependents,
    deletionGuards,
    /** Who can tell which records of another room exist. */
    registerReferenceTarget: references.registerReferenceTarget,
    /** Who can tell whose order it is, for the entries of orders. */
    registerOrderFinder: references.registerOrderFinder,
    /** Deletes the rows of another room that belong to a collection, when the collection is deleted. */
    registerDependents: (deleteRows: DeleteRows): void => void dependents.push(deleteRows),
    /** Who may refuse that an entry or a collection is deleted. */
    registerDeletionGuard: deletionGuards.register,
    checkReferences: (
      db: Db,
      businessId: string,
      named: readonly Reference[],
      options?: { publicOnly?: boolean },
    ): Promise<FieldError[]> => checkReferences({ db, businessId, content }, named, options),
  };
  return content;
}

export type Content = ReturnType<typeof createContent>;
