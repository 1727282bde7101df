import { notFound, type ServiceError } from '../../../shared/errors.ts';
import { inStoredOrder, joinDue, type Planned, type StatusEntry, systemStatus } from '../../../shared/statuses.ts';
import { planScheduled, type RecordKind, withError } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { existingCollections, lockCollection, updateCollection } from './queries.ts';
import type { Collection } from './schemas.ts';

async function save(ctx: Command, before: Collection, planned: Planned & { statuses?: StatusEntry[] }): Promise<void> {
  const record = inStoredOrder({ ...before, ...planned, updatedAt: ctx.now });
  const entity = `collection:${record.id}` as const;
  await updateCollection(ctx.db, record);
  await planScheduled(ctx, entity, before.scheduled, record.scheduled);
  await ctx.emit({ type: 'collection.updated', entity, data: record, before });
}

async function lock(ctx: Command, id: string): Promise<{ status: string; collection: Collection } | null> {
  const row = await lockCollection(ctx.db, ctx.businessId, id);
  return row && { status: row.status, collection: JSON.parse(row.doc) };
}

/** Collections have neither versions nor drafts; their statuses can be scheduled, and they can be part of a release. */
export const collectionKind: RecordKind = {
  permission: 'CONTENT_WRITE',
  prefix: 'col_',
  existing: (db, businessId, ids) => existingCollections(db, businessId, ids, false),

  async publish(ctx: Command, id: string): Promise<void> {
    const locked = await lock(ctx, id);
    if (!locked) throw notFound('Collection');
    const { status, collection } = locked;
    if (status === 'PUBLISHED') return;
    await save(ctx, collection, { statuses: [...collection.statuses, systemStatus('PUBLISHED', ctx.now)] });
  },

  async publishDue(ctx: Command, id: string): Promise<void> {
    const locked = await lock(ctx, id);
    if (!locked) return;
    const { statuses, scheduled = [] } = locked.collection;
    const { joined, ...planned } = joinDue(statuses, scheduled, ctx.now);
    if (joined.length > 0) await save(ctx, locked.collection, planned);
  },

  async refuseDue(ctx: Command, id: string, error: ServiceError): Promise<void> {
    const locked = await lock(ctx, id);
    if (!locked) return;
    await save(ctx, locked.collection, { scheduled: withError(locked.collection.scheduled, error, ctx.now) });
  },
};
