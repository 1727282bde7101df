import { SUCCESS } from '../../../shared/schemas.ts';
import { saveReferences } from '../../media/index.ts';
import { saveRecord } from '../../publishing/index.ts';
import type { Command, Steps } from '../context.ts';
import { listProductsIn } from '../facets/queries.ts';
import { saveTranslatedSlugs } from '../translations/queries.ts';
import { productKind } from '../versions/product-kind.ts';
import { lockedCategory } from './change-categories.ts';
import { deleteCategoryRow, lockCategory, savePositions, updateCategory } from './queries.ts';
import { showCategory, treeSubject } from './read-categories.ts';

export const CLEAR_CATEGORY = 'clear-category';
const BATCH = 100;

/** The categories below move up to take its place. Its products are kept, and a task removes them from the category. */
export async function deleteCategory(ctx: Command, idOrSlug: string): Promise<typeof SUCCESS> {
  const { db: tx, businessId } = ctx;
  const { tree, node, row } = await lockedCategory(ctx, idOrSlug);
  const { id, parentId } = node;
  const children = tree.children.get(id) ?? [];
  for (const child of children) {
    const { doc } = (await lockCategory(tx, businessId, child.id))!;
    await updateCategory(tx, doc, parentId);
  }
  await deleteCategoryRow(tx, businessId, id);
  const siblings = (tree.children.get(parentId) ?? []).flatMap((each) => (each.id === id ? children : each));
  await savePositions(
    tx,
    businessId,
    siblings.map((each) => each.id),
  );
  await saveTranslatedSlugs(tx, businessId, 'category', id, []);
  await saveReferences(tx, businessId, `category:${id}`, []);
  await ctx.publish(treeSubject(businessId));
  await ctx.enqueue(CLEAR_CATEGORY, { categoryId: id });
  const data = showCategory(row, { tree, publicUrl: ctx.publicUrl() });
  ctx.emit({ type: 'category.deleted', entity: `category:${id}`, data });
  return SUCCESS;
}

/** Removes the products from a deleted category. Each one is a separate change. */
export async function clearCategory(ctx: Steps, { categoryId }: { categoryId: string }): Promise<void> {
  for (;;) {
    const ids = await listProductsIn(ctx.db, ctx.businessId, categoryId, BATCH);
    for (const id of ids) {
      if (ctx.signal.aborted)
        throw new Error('The process is shutting down. The next attempt will pick up where this one left off.');
      await ctx.transaction(async (tx) => {
        const stored = await productKind.lock(tx, id);
        if (!stored) return;
        const categoryIds = (stored.record.categoryIds ?? []).filter((each) => each !== categoryId);
        const record = { ...stored.record, categoryIds, updatedAt: tx.now };
        await saveRecord(tx, productKind, stored, { record, words: null }, { action: 'UPDATED', userId: null });
      });
    }
    if (ids.length < BATCH) return;
  }
}
