/** The tree of a business's categories. Pure. */
import { type FieldError, invalidField } from '../../../shared/errors.ts';
import { translationFor } from '../translations/translate.ts';
import { MAX_DEPTH } from './schemas.ts';

export type CategoryNode = {
  id: string;
  parentId: string | null;
  position: number;
  slug: string;
  name: string;
  /** Names and slugs by locale. */
  translations: Record<string, { name?: string; slug?: string }> | null;
};

export type Tree = {
  businessId: string;
  nodes: ReadonlyMap<string, CategoryNode>;
  children: ReadonlyMap<string | null, readonly CategoryNode[]>;
};

export function treeOf(businessId: string, rows: readonly CategoryNode[]): Tree {
  const sorted = [...rows].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  return {
    businessId,
    nodes: new Map(sorted.map((node) => [node.id, node])),
    children: Map.groupBy(sorted, ({ parentId }) => parentId),
  };
}

/** Depth first, in menu order. */
export function inOrder(tree: Tree, parentId: string | null = null): CategoryNode[] {
  return (tree.children.get(parentId) ?? []).flatMap((node) => [node, ...inOrder(tree, node.id)]);
}

/** The IDs of a category and everything below it. */
export const withDescendants = (tree: Tree, id: string): string[] => [id, ...inOrder(tree, id).map((node) => node.id)];

/** From the top level down, without the category itself. */
export function ancestorsOf(tree: Tree, id: string): CategoryNode[] {
  const parent = tree.nodes.get(tree.nodes.get(id)?.parentId ?? '');
  return parent ? [...ancestorsOf(tree, parent.id), parent] : [];
}

/** A category by ID or slug. A slug in `locale` wins over one in another language. */
export function findNode(tree: Tree, idOrSlug: string, locale = ''): CategoryNode | null {
  const nodes = [...tree.nodes.values()];
  const slugIn = (node: CategoryNode) => translationFor(node.translations ?? {}, locale)?.slug;
  return (
    tree.nodes.get(idOrSlug) ??
    nodes.find((node) => locale !== '' && slugIn(node) === idOrSlug) ??
    nodes.find(({ slug }) => slug === idOrSlug) ??
    nodes.find(({ translations }) => Object.values(translations ?? {}).some(({ slug }) => slug === idOrSlug)) ??
    null
  );
}

const levelsBelow = (tree: Tree, id: string): number =>
  Math.max(0, ...(tree.children.get(id) ?? []).map((node) => 1 + levelsBelow(tree, node.id)));

/** `id` is null for a new category. Throws 422 if the parent doesn't exist, is the category or a descendant of it, or is too deep. */
export function checkParent(tree: Tree, id: string | null, parentId: string | null): void {
  if (parentId === null) return;
  if (!tree.nodes.has(parentId)) throw invalidField('parentId', 'NOT_FOUND', 'parentId does not exist.');
  if (id !== null && withDescendants(tree, id).includes(parentId))
    throw invalidField(
      'parentId',
      'INVALID_VALUE',
      "A category can't be moved into itself or one of its subcategories.",
    );
  const depth = ancestorsOf(tree, parentId).length + 2 + (id === null ? 0 : levelsBelow(tree, id));
  if (depth > MAX_DEPTH)
    throw invalidField('parentId', 'OUT_OF_RANGE', `Categories can have at most ${MAX_DEPTH} levels.`);
}

/** The siblings in their new order, with the category at `position`, or at the end. */
export function placeAmong(siblings: readonly { id: string }[], id: string, position: number | undefined): string[] {
  const others = siblings.map((node) => node.id).filter((other) => other !== id);
  return others.toSpliced(Math.min(position ?? others.length, others.length), 0, id);
}

export const slugTaken = (field = 'slug'): FieldError => ({
  field,
  error: 'DUPLICATE',
  message: `${field} is already used by another category.`,
});
