import { invalid, invalidField } from '../../../shared/errors.ts';
import { keptId, type PreviousIdentity } from '../../../shared/ids.ts';
import { compactPlanned } from '../../../shared/records/planned-fields.ts';
import { sentStatuses } from '../../../shared/records/status-history.ts';
import { slugCandidates, slugFrom } from '../../../shared/text/slugs.ts';
import { planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { extendStatuses, NEW } from '../statuses.ts';
import { emitCollection } from './emit-collection.ts';
import { insertCollection } from './queries.ts';
import { checkCollection, checkSlug, checkType, isReserved } from './rules.ts';
import { type Collection, type CollectionInput, completePlan } from './schemas.ts';
import { completeSettings } from './settings.ts';

const DEFAULT_TYPE = 'COLLECTION';

/** `kept`: the original ID and times, set by imports. */
type NewCollection = { input: CollectionInput; kept?: PreviousIdentity };

export const createCollection = (ctx: Command, input: CollectionInput): Promise<Collection> =>
  addCollection(ctx, { input });

/** A generated slug may get a number appended. A slug in the request is rejected if it is taken. */
export async function addCollection(ctx: Command, { input, kept = {} }: NewCollection): Promise<Collection> {
  const collection = composeCollection(ctx, input, kept);
  for (const slug of input.slug === undefined ? slugCandidates(slugFrom(input.name)) : [input.slug]) {
    if (isReserved(slug)) continue;
    const named = { ...collection, slug };
    if (!(await insertCollection(ctx.db, named))) continue;
    await planScheduled(ctx, `collection:${named.id}`, [], named.scheduled);
    emitCollection(ctx, 'collection.created', named);
    return named;
  }
  throw slugTaken();
}

function composeCollection(ctx: Command, input: CollectionInput, kept: PreviousIdentity): Collection {
  const { businessId, now } = ctx;
  const fields = {
    type: input.type ?? DEFAULT_TYPE,
    blocks: input.blocks ?? [],
    plans: (input.plans ?? []).map(completePlan),
  };
  const errors = [
    ...checkCollection(fields),
    ...checkType(input.type, kept.id && input.type),
    ...checkSlug(input.slug ?? ''),
  ];
  const planned = extendStatuses(ctx, NEW, { ...input, statuses: sentStatuses(input) }, errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  return compactPlanned({
    id: keptId('col', kept.id),
    businessId,
    name: input.name,
    slug: '',
    description: input.description ?? '',
    ...fields,
    ...planned,
    settings: completeSettings(input.settings ?? {}),
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  });
}

export const slugTaken = () => invalidField('slug', 'DUPLICATE', 'slug is already used by another collection.');
