import { answered } from '../../shared/own-addresses.ts';
import type { Media } from '../../shared/schemas.ts';
import { mapMedia, type RefreshUser } from '../media/index.ts';
import { findDraft, updateDraftDocument } from '../publishing/index.ts';
import { parseDocument } from './document.ts';
import { lockProduct, updateProduct } from './queries.ts';
import type { Product } from './schemas.ts';

/** A file of the library that the product or its draft carries has changed or is gone. Returns the product as it is then. */
export async function refreshProductMedia(
  ...[ctx, { id, mediaId, current }]: Parameters<RefreshUser>
): Promise<Product | null> {
  const row = await lockProduct(ctx.db, ctx.businessId, id);
  if (!row) return null;
  const item = await current();
  const product = parseDocument(row.doc, row.quantities);
  const refreshed = withItem(product, mediaId, item);
  const entity = `product:${id}` as const;
  const draft = product.hasDraft ? await findDraft(ctx.db, ctx.businessId, entity) : null;
  if (draft) {
    const renewed = JSON.stringify(withItem(JSON.parse(draft.doc), mediaId, item));
    await updateDraftDocument(ctx, entity, draft.number, renewed);
  }
  await updateProduct(ctx.db, refreshed, null);
  const shown = (each: Product) => answered(each, ctx.publicUrl());
  await ctx.emit({ type: 'product.updated', entity, data: shown(refreshed), before: shown(product) });
  return refreshed;
}

/** Null: the file is gone. Another one, known by its address before, stands in a gallery once. */
function withItem(product: Product, mediaId: string, item: Media | null): Product {
  const renewed = <T extends { id?: string }>(each: T) => (each.id === mediaId ? item : each);
  const isOther = item !== null && item.id !== mediaId;
  const gallery = (items: readonly Media[]) =>
    isOther && items.some(({ id }) => id === item.id)
      ? items.filter(({ id }) => id !== mediaId)
      : items.map(renewed).filter((each) => each !== null);
  return {
    ...product,
    gallery: gallery(product.gallery),
    variants: product.variants.map((variant) =>
      variant.gallery ? { ...variant, gallery: gallery(variant.gallery) } : variant,
    ),
    blocks: mapMedia(product.blocks, renewed),
  };
}
