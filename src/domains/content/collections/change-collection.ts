import type { Versioned } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { invalid, notFound } from '../../../shared/errors.ts';
import { inStoredOrder } from '../../../shared/statuses.ts';
import { planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { extendStatuses } from '../statuses.ts';
import { slugTaken } from './create-collection.ts';
import { findCollectionId, lockCollection, updateCollection } from './queries.ts';
import { checkCollection, checkSlug } from './rules.ts';
import type { Collection, CollectionChanges } from './schemas.ts';

/** Entries are left as they are: they stay readable, and are checked against the new schema when they are written next. */
export async function changeCollection(
  ctx: Command,
  { id: idOrSlug, changes }: { id: string; changes: CollectionChanges },
): Promise<Versioned<Collection>> {
  const id = await findCollectionId(ctx.db, ctx.businessId, idOrSlug);
  const row = id && (await lockCollection(ctx.db, ctx.businessId, id));
  if (!row) throw notFound('Collection');
  ctx.checkVersion(row.version);
  const before = JSON.parse(row.doc) as Collection;
  const { statuses, scheduled, blocks = before.blocks, ...fields } = changes;
  const after: Collection = { ...before, ...fields, blocks, updatedAt: ctx.now };
  const errors = [...checkCollection(after), ...(after.slug === before.slug ? [] : checkSlug(after.slug))];
  const planned = extendStatuses(ctx, before, { statuses, scheduled }, errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  const record = inStoredOrder({ ...after, ...planned });
  await updateCollection(ctx.db, record).catch((error) => {
    throw violatesUnique(error, 'collections_slug') ? slugTaken() : error;
  });
  await planScheduled(ctx, `collection:${id}`, before.scheduled, record.scheduled);
  await ctx.emit({ type: 'collection.updated', entity: `collection:${id}`, data: record, before });
  return { record, version: row.version + 1 };
}
