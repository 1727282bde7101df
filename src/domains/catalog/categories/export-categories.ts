import type { Db } from '../../../db/sql.ts';
import { listCategoriesForExport as listRows } from './queries.ts';
import { showCategory } from './read-categories.ts';
import type { Category } from './schemas.ts';
import { inOrder, treeOf } from './tree.ts';

/** All categories, each after its parent. */
export async function listCategoriesForExport(db: Db, businessId: string, publicUrl: string): Promise<Category[]> {
  const rows = await listRows(db, businessId);
  const tree = treeOf(
    businessId,
    rows.map(({ doc: { id, slug, name, translations = null }, parentId, position }) => ({
      id,
      parentId,
      position,
      slug,
      name,
      translations,
    })),
  );
  const byId = new Map(rows.map((row) => [row.doc.id, row]));
  return inOrder(tree).map(({ id }) => showCategory(byId.get(id)!, { tree, publicUrl }));
}
