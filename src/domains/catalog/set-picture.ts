import { answered } from '../../shared/own-addresses.ts';
import type { Media } from '../../shared/schemas.ts';
import { findUsedMedia, saveReferences } from '../media/index.ts';
import { mediaIdsOf } from './compose.ts';
import type { Command } from './context.ts';
import { parseDocument } from './document.ts';
import { lockProduct, updateProduct } from './queries.ts';

/** A picture that the product knew by its address lies in the library now. */
export async function setPicture(
  ctx: Command,
  { id, from, to }: { id: string; from: string; to: Media },
): Promise<void> {
  const row = await lockProduct(ctx.db, ctx.businessId, id);
  if (!row) return;
  const product = parseDocument(row.doc, row.quantities);
  const renewed = (items: readonly Media[]) =>
    items.some((item) => item.id === to.id)
      ? items.filter((item) => item.id !== from)
      : items.map((item) => (item.id === from ? to : item));
  const changed = {
    ...product,
    gallery: renewed(product.gallery),
    variants: product.variants.map((variant) =>
      variant.gallery ? { ...variant, gallery: renewed(variant.gallery) } : variant,
    ),
  };
  await updateProduct(ctx.db, changed, null);
  const used = await findUsedMedia(ctx, mediaIdsOf(changed));
  await saveReferences(ctx.db, ctx.businessId, `product:${id}`, [...used.keys()]);
  const shown = (each: typeof product) => answered(each, ctx.publicUrl());
  await ctx.emit({ type: 'product.updated', entity: `product:${id}`, data: shown(changed), before: shown(product) });
}
