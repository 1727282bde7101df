import type { Tx } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import { invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { slugCandidates, slugFrom } from '../../shared/slugs.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { insertCollection } from './collection-queries.ts';
import { checkCollection } from './collection-rules.ts';
import type { ContentContext } from './context.ts';
import { CONTENT_STATUSES, type Collection, type CollectionInput } from './schemas.ts';

export const DEFAULT_TYPE = 'COLLECTION';

export async function createCollection(
  { clock }: ContentContext,
  tx: Tx,
  caller: Caller,
  businessId: string,
  input: CollectionInput,
): Promise<Collection> {
  const now = clock.seconds();
  const fields = {
    type: input.type ?? DEFAULT_TYPE,
    blocks: input.blocks ?? [],
    plans: input.plans ?? [],
  };
  const errors = checkCollection(fields);
  const statuses = collect(errors, () =>
    extendHistory({
      history: [],
      incoming: input.statuses,
      allowed: CONTENT_STATUSES,
      initial: 'DRAFT',
      caller,
      businessId,
      nowSeconds: now,
    }),
  );
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const collection: Collection = {
    id: newId('col'),
    businessId,
    name: input.name,
    slug: input.slug ?? slugFrom(input.name),
    description: input.description ?? '',
    ...fields,
    statuses,
    settings: input.settings ?? {},
    createdAt: now,
    updatedAt: now,
  };
  return insertWithSlug(tx, collection, input.slug === undefined);
}

/** A slug that was made from the name may get a number; one that was asked for is refused when it is taken. */
async function insertWithSlug(tx: Tx, collection: Collection, isMade: boolean): Promise<Collection> {
  for (const slug of isMade ? slugCandidates(collection.slug) : [collection.slug]) {
    const named = { ...collection, slug };
    if (await insertCollection(tx, named)) return named;
  }
  throw slugTaken();
}

export const slugTaken = () => invalidField('slug', 'DUPLICATE', 'slug is taken by another collection.');
