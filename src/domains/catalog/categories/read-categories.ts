import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { addTotal, type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { showMedia } from '../../../shared/records/show-blocks.ts';
import type { Query } from '../context.ts';
import { translated, translationFor } from '../translations/translate.ts';
import { type CategoryRow, findCategory, listCategoryRows, listNodes } from './queries.ts';
import { type Category, type CategoryQuery, type ListedCategory, ROOT } from './schemas.ts';
import { ancestorsOf, type CategoryNode, findNode, inOrder, type Tree, treeOf } from './tree.ts';

export const treeSubject = (businessId: string) => `categories:${businessId}`;

/** The tree. It is cached while the broadcast is live. */
export const readTree = async ({ quick, businessId, catalog }: Query): Promise<Tree> =>
  (await catalog.trees.get(businessId, async () => treeOf(businessId, await listNodes(quick, businessId))))!;

export function showCategory(
  { doc, parentId, position }: Omit<CategoryRow, 'version'>,
  { tree, publicUrl, locale }: { tree: Tree; publicUrl: string; locale?: string | undefined },
): Category {
  const { id, businessId, name, slug, description, media, ...rest } = doc;
  const record = { id, businessId, name, slug, parentId, ancestors: [], position, description, ...rest };
  return {
    ...(locale === undefined ? record : translated(record, locale)),
    ancestors: ancestorsOf(tree, id).map((node) => nameIn(node, locale)),
    media: media && showMedia(media, publicUrl),
  };
}

function nameIn({ id, name, slug, translations }: CategoryNode, locale = '') {
  const text = translationFor(translations ?? {}, locale);
  return { id, name: text?.name || name, slug: text?.slug || slug };
}

export async function readCategory(
  ctx: Query,
  { id: idOrSlug, locale }: { id: string; locale?: string | undefined },
): Promise<Versioned<Category>> {
  const tree = await readTree(ctx);
  const node = findNode(tree, idOrSlug, locale);
  const row = node && (await findCategory(ctx.quick, ctx.businessId, node.id));
  if (!row) throw notFound('Category');
  return { record: showCategory(row, { tree, publicUrl: ctx.publicUrl(), locale }), version: row.version };
}

/** In menu order: each category is followed by those below it. */
export async function listCategoryTree(ctx: Query, query: CategoryQuery): Promise<Page<ListedCategory>> {
  const { db, businessId, cursors } = ctx;
  const tree = await readTree(ctx);
  const scope = `category-tree:${businessId}:${query.parentId ?? ''}`;
  const [after] = (cursors.decode(scope, query.cursor) ?? []) as string[];
  const all = nodesIn(tree, query);
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const limit = pageLimit(query.limit);
  const ids = all.slice(start, start + limit + 1).map(({ id }) => id);
  const rows = new Map((await listCategoryRows(db, businessId, ids)).map((row) => [row.doc.id, row]));
  const page = cursors.page(
    scope,
    ids.flatMap((id) => rows.get(id) ?? []),
    limit,
    ({ doc }) => [doc.id],
    (row) => ({
      ...showCategory(row, { tree, publicUrl: ctx.publicUrl(), locale: query.locale }),
      etag: etagOf(row.version),
    }),
    ({ doc }) => doc.description.length,
  );
  return addTotal(page, query, async () => all.length);
}

function nodesIn(tree: Tree, { parentId, locale }: CategoryQuery): readonly CategoryNode[] {
  if (parentId === undefined) return inOrder(tree);
  const parent = parentId === ROOT ? null : findNode(tree, parentId, locale);
  if (parent === null && parentId !== ROOT) return [];
  return tree.children.get(parent?.id ?? null) ?? [];
}
