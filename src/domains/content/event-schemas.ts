import { Collection } from './collections/schemas.ts';
import { Entry } from './entries/schemas.ts';

/** The data of each event type. */
export const contentEvents = {
  'collection.created': Collection,
  'collection.updated': Collection,
  'collection.deleted': Collection,
  'entry.created': Entry,
  'entry.updated': Entry,
  'entry.published': Entry,
  'entry.draft_saved': Entry,
  'entry.deleted': Entry,
};
