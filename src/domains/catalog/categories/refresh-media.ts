import { type RefreshUser, saveReferences } from '../../media/index.ts';
import { listNodes, lockCategory, updateCategory } from './queries.ts';
import { showCategory } from './read-categories.ts';
import { treeOf } from './tree.ts';

/** Updates the copy of a changed or deleted file in a category. */
export const refreshCategoryMedia: RefreshUser = async (ctx, { id, mediaId, current }) => {
  const { db: tx, businessId } = ctx;
  const row = await lockCategory(tx, businessId, id);
  if (row?.doc.media?.id !== mediaId) return;
  const doc = { ...row.doc, media: await current() };
  await updateCategory(tx, doc, row.parentId);
  if (doc.media === null) await saveReferences(tx, businessId, `category:${id}`, []);
  const shown = { tree: treeOf(businessId, await listNodes(tx, businessId)), publicUrl: ctx.publicUrl() };
  const data = showCategory({ ...row, doc }, shown);
  ctx.emit({ type: 'category.updated', entity: `category:${id}`, data, before: showCategory(row, shown) });
};
