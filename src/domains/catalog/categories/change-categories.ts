import type { Versioned } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { NOTHING_PREPARED, type PreparedTexts, prepareTexts } from '../../../shared/blocks/index.ts';
import { conflict, type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { keptId, newId, type PreviousIdentity } from '../../../shared/ids.ts';
import { slugCandidates, slugFrom } from '../../../shared/text/slugs.ts';
import { findUsedMedia, saveReferences } from '../../media/index.ts';
import { redirectPages } from '../../redirects/index.ts';
import { type Command, command } from '../context.ts';
import { movesOf } from '../translations/moves.ts';
import { listTakenTranslations, saveTranslatedSlugs } from '../translations/queries.ts';
import { slugsOf } from '../translations/translate.ts';
import { composeCategory, richTextsOf } from './compose.ts';
import {
  findCategory,
  insertCategory,
  listNodes,
  lockCategory,
  lockTree,
  type StoredCategory,
  savePositions,
  updateCategory,
} from './queries.ts';
import { showCategory, treeSubject } from './read-categories.ts';
import { type Category, type CategoryChanges, type CategoryInput, MAX_CATEGORIES } from './schemas.ts';
import { checkParent, findNode, placeAmong, slugTaken, type Tree, treeOf } from './tree.ts';

/** `kept` is set by imports. */
type NewCategory = { input: CategoryInput; texts?: PreparedTexts; kept?: PreviousIdentity };
type Change = { id: string; changes: CategoryChanges; texts: PreparedTexts };

export const createCategory = command({
  prepare: async (ctx, input: CategoryInput) => ({
    input,
    texts: await prepareTexts(ctx.businessId, [], richTextsOf(input)),
  }),
  execute: addCategory,
});

export const changeCategory = command({
  prepare: async (ctx, change: Omit<Change, 'texts'>) => ({
    ...change,
    texts: await prepareTexts(ctx.businessId, [], richTextsOf(change.changes)),
  }),
  execute: applyChanges,
});

export async function addCategory(ctx: Command, category: NewCategory): Promise<Category> {
  const { input, texts = NOTHING_PREPARED, kept = {} } = category;
  const { db: tx, businessId, now } = ctx;
  const tree = await lockedTree(ctx);
  if (tree.nodes.size >= MAX_CATEGORIES) throw conflict(`A business can have at most ${MAX_CATEGORIES} categories.`);
  const parentId = input.parentId ?? null;
  checkParent(tree, null, parentId);
  const id = kept.id !== undefined && tree.nodes.has(kept.id) ? newId('cat') : keptId('cat', kept.id);
  const isFree = (slug: string) => ![...tree.nodes.values()].some((node) => node.slug === slug);
  const slug = input.slug ?? slugCandidates(slugFrom(input.name)).find(isFree)!;
  const times = { createdAt: kept.createdAt ?? now, updatedAt: kept.updatedAt ?? now };
  const blank = { id, businessId, name: input.name, slug, description: '', media: null, ...times };
  const doc = await compose(ctx, blank, { ...input, slug }, texts);
  await insertCategory(tx, doc, parentId).catch(rejectDuplicate);
  await savePlace(ctx, tree, doc, parentId, input.position);
  const data = await saved(ctx, doc);
  ctx.emit({ type: 'category.created', entity: `category:${id}`, data });
  return data;
}

/** Keeps an existing category with the same ID or slug. */
export async function importCategory(
  ctx: Command,
  category: NewCategory,
): Promise<{ result: 'CREATED' | 'UNCHANGED'; id: string }> {
  const tree = await lockedTree(ctx);
  const known = [category.kept?.id, category.input.slug].flatMap((key) => (key && findNode(tree, key)) || []);
  if (known[0]) return { result: 'UNCHANGED', id: known[0].id };
  return { result: 'CREATED', id: (await addCategory(ctx, category)).id };
}

async function applyChanges(ctx: Command, { id: idOrSlug, changes, texts }: Change): Promise<Versioned<Category>> {
  const { tree, node, row } = await lockedCategory(ctx, idOrSlug);
  const before = showCategory(row, { tree, publicUrl: ctx.publicUrl() });
  const parentId = changes.parentId === undefined ? row.parentId : changes.parentId;
  if (parentId !== row.parentId) checkParent(tree, node.id, parentId);
  const doc = await compose(ctx, { ...row.doc, updatedAt: ctx.now }, changes, texts);
  await updateCategory(ctx.db, doc, parentId).catch(rejectDuplicate);
  const isMoved = changes.position !== undefined || parentId !== row.parentId;
  if (isMoved) await savePlace(ctx, tree, doc, parentId, changes.position);
  const data = await saved(ctx, doc);
  ctx.emit({ type: 'category.updated', entity: `category:${doc.id}`, data, before });
  await redirectPages(ctx, movesOf('categories', row.doc, doc));
  return { record: data, version: row.version + 1 };
}

async function lockedTree({ db: tx, businessId }: Command): Promise<Tree> {
  await lockTree(tx, businessId);
  return treeOf(businessId, await listNodes(tx, businessId));
}

/** Locks the category and checks its version. */
export async function lockedCategory(ctx: Command, idOrSlug: string) {
  const tree = await lockedTree(ctx);
  const node = findNode(tree, idOrSlug);
  const row = node && (await lockCategory(ctx.db, ctx.businessId, node.id));
  if (!row) throw notFound('Category');
  ctx.checkVersion(row.version);
  return { tree, node, row };
}

async function compose(
  ctx: Command,
  current: StoredCategory,
  changes: CategoryChanges,
  { sanitize }: PreparedTexts,
): Promise<StoredCategory> {
  const { db: tx, businessId } = ctx;
  const media = await findUsedMedia(ctx, [changes.media?.id]);
  const errors: FieldError[] = [];
  const doc = composeCategory(current, changes, { media, sanitize, publicUrl: ctx.publicUrl(), errors });
  const slugs = slugsOf(doc);
  const taken = { kind: 'category', recordId: doc.id, slugs } as const;
  if (slugs.length > 0)
    for (const { locale } of await listTakenTranslations(tx, businessId, taken))
      errors.push(slugTaken(`translations.${locale}.slug`));
  if (errors.length > 0) throw invalid(errors);
  return doc;
}

const savePlace = (
  { db: tx, businessId }: Command,
  tree: Tree,
  { id }: StoredCategory,
  parentId: string | null,
  position: number | undefined,
) => savePositions(tx, businessId, placeAmong(tree.children.get(parentId) ?? [], id, position));

/** Writes the rows related to a category, publishes the new tree and returns the category. */
async function saved(ctx: Command, doc: StoredCategory): Promise<Category> {
  const { db: tx, businessId } = ctx;
  await saveTranslatedSlugs(tx, businessId, 'category', doc.id, slugsOf(doc));
  const used = await findUsedMedia(ctx, [doc.media?.id]);
  await saveReferences(tx, businessId, `category:${doc.id}`, [...used.keys()]);
  await ctx.publish(treeSubject(businessId));
  const tree = treeOf(businessId, await listNodes(tx, businessId));
  const row = (await findCategory(tx, businessId, doc.id))!;
  return showCategory(row, { tree, publicUrl: ctx.publicUrl() });
}

function rejectDuplicate(error: unknown): never {
  if (violatesUnique(error, 'categories_slug')) throw invalid([slugTaken()]);
  throw error;
}
