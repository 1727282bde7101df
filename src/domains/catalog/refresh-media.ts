import { answered } from '../../shared/own-addresses.ts';
import { mapMedia, type RefreshUser } from '../media/index.ts';
import { parseDocument } from './document.ts';
import { lockProduct, updateProduct } from './queries.ts';

/** A file of the library that the product carries has changed or is gone. */
export const refreshProductMedia: RefreshUser = async (ctx, { id, mediaId, current }) => {
  const row = await lockProduct(ctx.db, ctx.businessId, id);
  if (!row) return;
  const item = await current();
  const product = parseDocument(row.doc, row.quantities);
  const renewed = <T extends { id?: string }>(each: T) => (each.id === mediaId ? item : each);
  const gallery = <T extends { id?: string }>(items: readonly T[]) =>
    items.map(renewed).filter((each) => each !== null);
  const refreshed = {
    ...product,
    gallery: gallery(product.gallery) as typeof product.gallery,
    variants: product.variants.map((variant) =>
      variant.gallery ? { ...variant, gallery: gallery(variant.gallery) as typeof variant.gallery } : variant,
    ),
    blocks: mapMedia(product.blocks, renewed),
  };
  await updateProduct(ctx.db, refreshed);
  const shown = (each: typeof product) => answered(each, ctx.publicUrl());
  const entity = `product:${id}` as const;
  await ctx.emit({ type: 'product.updated', entity, data: shown(refreshed), before: shown(product) });
};
