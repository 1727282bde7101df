import type { Versioned } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { invalid, notFound } from '../../../shared/errors.ts';
import { compactPlanned } from '../../../shared/records/planned-fields.ts';
import { sentStatuses } from '../../../shared/records/status-history.ts';
import { planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { extendStatuses } from '../statuses.ts';
import { slugTaken } from './create-collection.ts';
import { emitCollection } from './emit-collection.ts';
import { findCollectionId, lockCollection, updateCollection } from './queries.ts';
import { checkCollection, checkSlug, checkType } from './rules.ts';
import { type Collection, type CollectionChanges, completePlan } from './schemas.ts';
import { completeSettings } from './settings.ts';

/** Existing entries are not changed: they stay readable and are validated against the new schema on their next write. */
export async function changeCollection(
  ctx: Command,
  { id: idOrSlug, changes }: { id: string; changes: CollectionChanges },
): Promise<Versioned<Collection>> {
  const id = await findCollectionId(ctx.db, ctx.businessId, idOrSlug);
  const row = id && (await lockCollection(ctx.db, ctx.businessId, id));
  if (!row) throw notFound('Collection');
  ctx.checkVersion(row.version);
  const before = row.doc;
  const { status: _, statuses: __, scheduled, blocks = before.blocks, plans = before.plans, ...fields } = changes;
  const settings = fields.settings ? completeSettings(fields.settings) : before.settings;
  const after: Collection = {
    ...before,
    ...fields,
    settings,
    blocks,
    plans: plans.map(completePlan),
    updatedAt: ctx.now,
  };
  const errors = [
    ...checkCollection(after, before),
    ...checkType(fields.type, before.type),
    ...(after.slug === before.slug ? [] : checkSlug(after.slug)),
  ];
  const planned = extendStatuses(ctx, before, { statuses: sentStatuses(changes, before.statuses), scheduled }, errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  const record = compactPlanned({ ...after, ...planned });
  await updateCollection(ctx.db, record).catch((error) => {
    throw violatesUnique(error, 'collections_slug') ? slugTaken() : error;
  });
  await planScheduled(ctx, `collection:${id}`, before.scheduled, record.scheduled);
  emitCollection(ctx, 'collection.updated', record, before);
  return { record, version: row.version + 1 };
}
