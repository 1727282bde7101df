import type { Steps as AnySteps, Versioned } from '../../context/index.ts';
import { AS_IT_IS } from '../../shared/blocks.ts';
import { invalid, type ServiceError } from '../../shared/errors.ts';
import { answered, withAddresses } from '../../shared/own-addresses.ts';
import {
  inStoredOrder,
  joinDue,
  publicJson,
  type ScheduledStatus,
  type StatusEntry,
  type StatusInput,
  systemStatus,
} from '../../shared/statuses.ts';
import { type Author, authorOf, type RecordKind, withError } from '../publishing/index.ts';
import { contentOf } from './compose.ts';
import type { Command } from './context.ts';
import { parseDocument } from './document.ts';
import { findDraftOf } from './find-draft.ts';
import { existingProducts, findProduct, lockProduct } from './queries.ts';
import type { Product } from './schemas.ts';
import { compose, type LockedProduct, lockForChange, saveProduct } from './write-product.ts';

/** Now, or at a time. */
export async function publishProduct(
  ctx: Command,
  { id, at }: { id: string; at?: number },
): Promise<Versioned<Product>> {
  const locked = await lockForChange(ctx, id);
  ctx.checkVersion(locked.row.version);
  const { product } = locked;
  const statuses: StatusInput[] = [{ status: 'ACTIVE', ...(at === undefined ? {} : { timestamp: at }) }];
  const composed = await compose(ctx, {
    ...{ current: product, id: product.id, changes: { statuses }, caller: ctx.caller, sanitize: AS_IT_IS },
  });
  if (composed.errors.length > 0) throw invalid(composed.errors);
  const author = authorOf(ctx.caller);
  const planned = { statuses: composed.product.statuses, scheduled: composed.product.scheduled ?? [], author };
  const isNow = planned.statuses.length > product.statuses.length;
  if (!isNow) return saveProduct(ctx, locked, composed, { action: 'UPDATED', ...author });
  return publish(ctx, locked, locked.row.status === 'ACTIVE' ? { ...planned, statuses: product.statuses } : planned);
}

type Planned = { statuses: StatusEntry[]; scheduled: ScheduledStatus[]; author: Author };

/**
 * The draft becomes what readers see; without one the product itself does. Stock is left alone: only a variant that is new brings
 * its quantity with it.
 */
async function publish(
  ctx: Command,
  locked: LockedProduct,
  { author, ...planned }: Planned,
): Promise<Versioned<Product>> {
  const { row, product } = locked;
  const draft = await findDraftOf(ctx.db, product);
  const isUnchanged = !draft && planned.statuses.length === product.statuses.length;
  const version = `${row.version}.${row.stockVersion}`;
  if (isUnchanged) return { record: answered(product, ctx.publicUrl()), version };
  const changes = draft ? contentOf(draft) : {};
  const composed = await compose(ctx, {
    ...{ current: product, id: product.id, changes, caller: null, sanitize: AS_IT_IS },
  });
  Object.assign(composed.product, planned, { hasDraft: false });
  return saveProduct(ctx, locked, composed, { action: 'PUBLISHED', ...author });
}

async function lockLiving(ctx: Command, id: string): Promise<LockedProduct | null> {
  const row = await lockProduct(ctx.db, ctx.businessId, id);
  return row && { row, product: parseDocument(row.doc, row.quantities) };
}

export const productKind: RecordKind = {
  permission: 'CATALOG_WRITE',
  prefix: 'prod_',
  existing: existingProducts,

  async publish(ctx: Command, id: string): Promise<void> {
    const locked = await lockForChange(ctx, id);
    const { statuses, scheduled = [] } = locked.product;
    const status = locked.row.status === 'ACTIVE' ? [] : [systemStatus('ACTIVE', ctx.now)];
    await publish(ctx, locked, { statuses: [...statuses, ...status], scheduled, author: { userId: null } });
  },

  async publishDue(ctx: Command, id: string): Promise<void> {
    const locked = await lockLiving(ctx, id);
    if (!locked) return;
    const { joined, ...planned } = joinDue(locked.product.statuses, locked.product.scheduled ?? [], ctx.now);
    const last = joined.at(-1);
    if (!last) return;
    const author = { userId: last.userId ?? null };
    if (last.status === 'ACTIVE') return void (await publish(ctx, locked, { ...planned, author }));
    const product = { ...locked.product, ...planned, updatedAt: ctx.now };
    await saveProduct(ctx, locked, { product, slugGiven: true, errors: [] }, { action: 'UPDATED', ...author });
  },

  async refuseDue(ctx: Command, id: string, error: ServiceError): Promise<void> {
    const locked = await lockLiving(ctx, id);
    if (!locked) return;
    const product = { ...locked.product, scheduled: withError(locked.product.scheduled, error, ctx.now) };
    await saveProduct(ctx, locked, { product, slugGiven: true, errors: [] }, { action: 'UPDATED', userId: null });
  },

  async preview(ctx: AnySteps, id: string): Promise<string | null> {
    const row = await findProduct(ctx.db, ctx.businessId, id);
    if (!row) return null;
    const product = parseDocument(row.doc!, row.quantities ?? '{}');
    const draft = (await findDraftOf(ctx.db, product)) ?? product;
    return withAddresses(publicJson(JSON.stringify(inStoredOrder(draft))), ctx.publicUrl());
  },
};
