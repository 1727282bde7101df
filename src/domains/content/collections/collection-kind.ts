import { pickFields } from '../../../shared/records/pick-fields.ts';
import type { PlainKind } from '../../publishing/index.ts';
import { showCollection } from './collection-responses.ts';
import { existingCollections, lockCollection, updateCollection } from './queries.ts';
import { Collection } from './schemas.ts';

export const collectionKind: PlainKind<Collection> = {
  hasVersions: false,
  name: 'collection',
  noun: 'Collection',
  prefix: 'col_',
  permission: 'CONTENT_WRITE',
  live: 'PUBLISHED',
  existing: (db, businessId, ids) => existingCollections(db, businessId, ids, false),

  async lock({ db: tx, businessId }, id) {
    const row = await lockCollection(tx, businessId, id);
    return row && { record: row.doc, version: row.version };
  },

  show: (collection) => pickFields(Collection, showCollection(collection)),
  update: (tx, { record }) => updateCollection(tx, record),
};
