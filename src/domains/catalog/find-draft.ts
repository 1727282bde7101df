import type { Db } from '../../db/sql.ts';
import { findDraft } from '../publishing/index.ts';
import { contentOf } from './compose.ts';
import { parseDocument } from './document.ts';
import type { Product } from './schemas.ts';

/** The product as its draft has it: content of the draft, everything else, stock included, of the product. Null: there is none. */
export async function findDraftOf(db: Db, product: Product): Promise<Product | null> {
  if (!product.hasDraft) return null;
  const row = await findDraft(db, product.businessId, `product:${product.id}`);
  return row && withContent(product, parseDocument(row.doc, '{}'));
}

export function withContent(product: Product, draft: Product): Product {
  const known = new Map(product.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  const variants = draft.variants.map((variant) => {
    const quantity = known.get(variant.id) ?? variant.inventory.quantity;
    return { ...variant, inventory: { ...variant.inventory, quantity } };
  });
  return { ...product, ...contentOf(draft), variants, updatedAt: draft.updatedAt };
}
