import { invalid, invalidField } from '../../../shared/errors.ts';
import { type FormerIdentity, isId, newId } from '../../../shared/ids.ts';
import { slugCandidates, slugFrom } from '../../../shared/slugs.ts';
import { inStoredOrder, sentStatuses } from '../../../shared/statuses.ts';
import { planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { extendStatuses, NEW } from '../statuses.ts';
import { insertCollection } from './queries.ts';
import { checkCollection, checkSlug, isReserved } from './rules.ts';
import type { Collection, CollectionInput } from './schemas.ts';

const DEFAULT_TYPE = 'COLLECTION';

/** A slug that is made from the name may get a number; one that was asked for is refused when it is taken. */
export async function createCollection(
  ctx: Command,
  input: CollectionInput,
  kept: FormerIdentity = {},
): Promise<Collection> {
  const collection = composeCollection(ctx, input, kept);
  for (const slug of input.slug === undefined ? slugCandidates(slugFrom(input.name)) : [input.slug]) {
    if (isReserved(slug)) continue;
    const named = { ...collection, slug };
    if (!(await insertCollection(ctx.db, named))) continue;
    await planScheduled(ctx, `collection:${named.id}`, [], named.scheduled);
    await ctx.emit({ type: 'collection.created', entity: `collection:${named.id}`, data: named });
    return named;
  }
  throw slugTaken();
}

function composeCollection(ctx: Command, input: CollectionInput, kept: FormerIdentity): Collection {
  const { businessId, now } = ctx;
  const fields = {
    type: input.type ?? DEFAULT_TYPE,
    blocks: input.blocks ?? [],
    plans: input.plans ?? [],
  };
  const errors = [...checkCollection(fields), ...checkSlug(input.slug ?? '')];
  const planned = extendStatuses(ctx, NEW, { ...input, statuses: sentStatuses(input) }, errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  return inStoredOrder({
    id: kept.id !== undefined && isId('col', kept.id) ? kept.id : newId('col'),
    businessId,
    name: input.name,
    slug: '',
    description: input.description ?? '',
    ...fields,
    ...planned,
    settings: input.settings ?? {},
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  });
}

export const slugTaken = () => invalidField('slug', 'DUPLICATE', 'slug is taken by another collection.');
