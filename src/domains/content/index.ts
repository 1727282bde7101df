/**
 * Content: what a business writes. A **collection** has a schema of **blocks** and, as a newsletter, plans; an **entry** holds
 * values for them. An entry belongs to its **owner**: a collection, an order or a reservation.
 *
 * Invariants: every stored value has passed the schema of its time, and rich text is sanitised; a schema may move on, its
 * entries stay readable. An entry's collection exists: writing an entry holds it, and deleting one looks for entries only
 * after it has locked the collection. What an entry can be found by is written with it, in the same transaction.
 */
import type { Db, Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { openAiModel } from '../../providers/ai/openai.ts';
import type { Caller } from '../../shared/caller.ts';
import { createDocumentCache } from '../../shared/document-cache.ts';
import { notFound } from '../../shared/errors.ts';
import { existingCollections, findCollection } from './collection-queries.ts';
import { createSchemas } from './collection-schemas.ts';
import type { ContentContext } from './context.ts';
import { createCollection } from './create-collection.ts';
import { createEntry } from './create-entry.ts';
import { existingEntries, findEntry } from './entry-queries.ts';
import { createReferences } from './references.ts';
import type { Collection, CollectionInput, Entry, EntryInput } from './schemas.ts';

export type { FindExisting, FindOrder } from './references.ts';
export type { Collection, CollectionSettings, Entry, Plan } from './schemas.ts';

export async function getCollection(db: Db, businessId: string, id: string): Promise<Collection & { version: number }> {
  const row = await findCollection(db, businessId, id);
  if (!row) throw notFound('Collection');
  return { ...(JSON.parse(row.doc) as Collection), version: row.version };
}

export async function getEntry(db: Db, businessId: string, id: string): Promise<Entry & { version: number }> {
  const row = await findEntry(db, businessId, id);
  if (!row) throw notFound('Entry');
  return { ...(JSON.parse(row.doc) as Entry), version: row.version };
}

export function createContent({ clock, log, quick, config, broadcast }: Deps) {
  const references = createReferences();
  const documents = createDocumentCache<number>();
  broadcast.onReset(documents.clear);
  const context: ContentContext = {
    clock,
    log,
    quick,
    references,
    schemas: createSchemas(),
    documents,
    model: config.ai ? openAiModel(config.ai) : null,
  };
  references.registerReferenceTarget('COLLECTION', existingCollections);
  references.registerReferenceTarget('ENTRY', existingEntries);
  return {
    context,
    /** Who can tell which records of another room exist. */
    registerReferenceTarget: references.registerReferenceTarget,
    /** Which references of blocks name nothing. */
    checkReferences: references.check,
    /** Who can tell whose order it is, for the entries of orders. */
    registerOrderFinder: references.registerOrderFinder,
    getCollection,
    getEntry,
    createCollection: (tx: Tx, caller: Caller, businessId: string, input: CollectionInput) =>
      createCollection(context, tx, caller, businessId, input),
    createEntry: (tx: Tx, caller: Caller, businessId: string, input: EntryInput) =>
      createEntry(context, tx, caller, businessId, input),
  };
}

export type Content = ReturnType<typeof createContent>;
