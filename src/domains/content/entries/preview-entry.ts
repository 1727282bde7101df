import { notFound } from '../../../shared/errors.ts';
import { pickFields } from '../../../shared/records/pick-fields.ts';
import { readDraft } from '../../publishing/index.ts';
import { showCollection } from '../collections/collection-responses.ts';
import { findCollection } from '../collections/queries.ts';
import { PublicCollection } from '../collections/schemas.ts';
import type { Query } from '../context.ts';
import { collectionIdOf } from '../owners.ts';
import { entryKind } from './entry-kind.ts';
import { publicEntryResponse } from './entry-responses.ts';
import { checkDraft } from './rules.ts';
import type { Entry } from './schemas.ts';

type Edited = { id: string; blocks?: unknown; locale?: string; audience?: 'reader' | 'public' };

/** An entry with unsaved content and its collection, as readers would see them. Stores nothing. */
export async function previewEntryDraft(ctx: Query, { id, blocks, locale, audience = 'public' }: Edited) {
  const { record } = await readDraft<Entry>(ctx, { kind: entryKind, id });
  const checked = blocks === undefined ? record.blocks : await checkDraft(ctx, id, blocks);
  const entry = { ...record, locale: locale ?? record.locale, blocks: checked };
  return {
    collection: await getPublicCollection(ctx, record),
    entry: JSON.parse(publicEntryResponse(entry, ctx.publicUrl(), audience).toString()) as Entry,
  };
}

/** The collection of an entry in its public format, published or not. */
export async function getPublicCollection({ db, businessId }: Query, { owner }: Pick<Entry, 'owner'>) {
  const collectionId = collectionIdOf(owner);
  const collection = collectionId && (await findCollection(db, businessId, collectionId));
  if (!collection) throw notFound('Collection');
  return pickFields(PublicCollection, showCollection(collection.doc));
}
