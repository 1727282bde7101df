import { readDraft } from '../../publishing/index.ts';
import type { Query } from '../context.ts';
import { publicProductJson } from '../products/product-responses.ts';
import type { Product, ProductChanges } from '../products/schemas.ts';
import { productKind } from './product-kind.ts';

/** A product with unsaved changes, as customers would see it. Stores nothing. */
export async function previewProductDraft(
  ctx: Query,
  { id, changes }: { id: string; changes: ProductChanges },
): Promise<Product> {
  const { record } = await readDraft<Product>(ctx, { kind: productKind, id });
  const { name, description, gallery, variants } = changes;
  const known = new Map(record.variants.map((variant) => [variant.id, variant]));
  const merged = variants?.flatMap((variant) => {
    const before = known.get(variant.id ?? '');
    return before ? { ...before, ...variant, inventory: { ...before.inventory, ...variant.inventory } } : [];
  });
  const product = {
    ...record,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(gallery === undefined ? {} : { gallery }),
    ...(merged === undefined ? {} : { variants: merged }),
  } as Product;
  return JSON.parse(publicProductJson(product, ctx.publicUrl()).toString()) as Product;
}
