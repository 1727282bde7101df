import type { Versioned } from '../../context/index.ts';
import type { PreparedTexts } from '../../shared/blocks.ts';
import { may } from '../../shared/caller.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { answered } from '../../shared/own-addresses.ts';
import { authorOf, changedFields, planScheduled, versionOf } from '../publishing/index.ts';
import { contentOf } from './compose.ts';
import type { Command, Query } from './context.ts';
import { parseDocument } from './document.ts';
import { findDraftOf, withContent } from './find-draft.ts';
import { findProduct, findProductId, updateDraft } from './queries.ts';
import type { Product, ProductChanges } from './schemas.ts';
import { compose, type LockedProduct, lockForChange, requireUnique, saveMedia, saveProduct } from './write-product.ts';

/** A change of the draft; the first one begins with what is public. */
export async function saveDraft(
  ctx: Command,
  { row, product }: LockedProduct,
  changes: ProductChanges,
  texts: PreparedTexts,
): Promise<Versioned<Product>> {
  const { db: tx, caller } = ctx;
  const before = (await findDraftOf(tx, product)) ?? product;
  const { id } = product;
  const composed = await compose(ctx, { current: before, id, changes, caller, sanitize: texts.sanitize });
  const sent = await requireUnique(tx, composed);
  if (sent.statuses.length > product.statuses.length) {
    const message = 'A draft changes no status: publish it, or send the status without draft=true.';
    throw invalid([{ field: 'statuses', error: 'INVALID_VALUE', message }]);
  }
  const draft = withContent(product, sent);
  const record: Product = { ...product, scheduled: sent.scheduled ?? [], hasDraft: true };
  const shown = answered({ ...record, ...contentOf(draft), updatedAt: draft.updatedAt }, ctx.publicUrl());
  const entity = `product:${id}` as const;
  const isPlanned = JSON.stringify(product.scheduled ?? []) !== JSON.stringify(record.scheduled);
  const isChanged = changedFields(before, draft).length > 0;
  if (!isChanged && !isPlanned) return { record: shown, version: `${row.version}.${row.stockVersion}` };
  const content = { doc: JSON.stringify(draft), words: null };
  const noted = { action: 'DRAFT_SAVED', ...authorOf(caller), draft: content } as const;
  await updateDraft(tx, record, versionOf(ctx, 'product', { number: row.version, before, after: draft }, noted));
  await saveMedia(ctx, record);
  await planScheduled(ctx, entity, product.scheduled, record.scheduled);
  await ctx.emit({ type: 'product.draft_saved', entity, data: answered(record, ctx.publicUrl()) });
  return { record: shown, version: `${row.version + 1}.${row.stockVersion}` };
}

/** The product as it is, for those who may change it. */
export async function getForStaff(
  ctx: Query,
  idOrSlug: string,
): Promise<{ product: Product; version: string; doc: string }> {
  const id = await findProductId(ctx.db, ctx.businessId, idOrSlug);
  const row = id && (await findProduct(ctx.db, ctx.businessId, id));
  if (!row || !may(ctx.caller, ctx.businessId, 'CATALOG_WRITE')) throw notFound('Product');
  return { product: parseDocument(row.doc!, row.quantities ?? '{}'), version: row.version, doc: row.doc! };
}

/** What staff edit: the draft, or else the product. */
export async function readDraft(ctx: Query, idOrSlug: string): Promise<Versioned<Product>> {
  const { product, version } = await getForStaff(ctx, idOrSlug);
  return { record: answered((await findDraftOf(ctx.db, product)) ?? product, ctx.publicUrl()), version };
}

/** The public product stays as it is; the versions keep what was drafted. */
export async function discardDraft(ctx: Command, idOrSlug: string): Promise<Versioned<Product>> {
  const locked = await lockForChange(ctx, idOrSlug);
  ctx.checkVersion(locked.row.version);
  if (!locked.product.hasDraft) throw notFound('Draft');
  const product = { ...locked.product, hasDraft: false };
  const options = { action: 'UPDATED', ...authorOf(ctx.caller) } as const;
  return saveProduct(ctx, locked, { product, slugGiven: true, errors: [] }, options);
}
