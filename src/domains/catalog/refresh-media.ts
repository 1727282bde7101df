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
  await updateProduct(ctx.db, {
    ...product,
    gallery: gallery(product.gallery) as typeof product.gallery,
    variants: product.variants.map((variant) =>
      variant.gallery ? { ...variant, gallery: gallery(variant.gallery) as typeof variant.gallery } : variant,
    ),
    blocks: mapMedia(product.blocks, renewed),
  });
};
