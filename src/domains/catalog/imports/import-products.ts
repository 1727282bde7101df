/**
 * Imports batches of products under the same rules as any save. A record updates the product with the same ID, slug or SKU,
 * or else creates one. Nothing is deleted: variants, prices, blocks and images missing from the file are kept.
 */
import { NOTHING_PREPARED } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { keptId, newId } from '../../../shared/ids.ts';
import { isSameRecord } from '../../../shared/records/planned-fields.ts';
import { slugCandidates } from '../../../shared/text/slugs.ts';
import { findUsedMedia, mediaIn, saveReferences, waitingAddresses } from '../../media/index.ts';
import { changeRecord, planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { settlePrices } from '../prices/price-history.ts';
import type { PriceRow } from '../prices/price-queries.ts';
import { scheduleSale } from '../prices/sale-prices.ts';
import { type Composed, composeProduct } from '../products/compose.ts';
import { mediaIdsOf } from '../products/compose-media.ts';
import { findAllReferenced } from '../products/references.ts';
import { type Product, type ProductChanges, RESERVED_SLUGS } from '../products/schemas.ts';
import { productKind } from '../versions/product-kind.ts';
import { mergeChanges, type ProductImport } from './merge-product.ts';
import { findMatches, insertProducts, listTakenSlugs, lockProducts, type Matches } from './queries.ts';

type ImportOutcome =
  | {
      result: 'CREATED' | 'UPDATED' | 'UNCHANGED';
      id: string;
      /** Image URLs that are not in the media library. */
      waiting?: string[];
    }
  | { errors: FieldError[] };

/** Number of changes written concurrently on the connection of the transaction. */
const CONCURRENCY = 8;

type Plan = { record: ProductImport; current: Product | null; changes: ProductChanges; composed: Composed };

/** Returns one outcome per record, in the same order. Locks all products and stock up front, in ID order. */
export async function importProducts(ctx: Command, records: readonly ProductImport[]): Promise<ImportOutcome[]> {
  const { db: tx, businessId } = ctx;
  const matches = await findMatches(tx, businessId, keysOf(records));
  const targets = records.map((record) => targetOf(record, matches));
  const locked = await lockProducts(tx, businessId, [...new Set(targets.filter((id) => id !== null))].sort());
  const media = await findUsedMedia(ctx, records.flatMap(mediaOf));
  const inputs = records.map(({ input }) => input);
  const existing = await findAllReferenced(tx, businessId, inputs);
  const used = new Set<string>();
  const plans = records.map((record, i): Plan | { errors: FieldError[] } => {
    const current = (targets[i] && locked.get(targets[i])) || null;
    if (current && used.has(current.id)) return { errors: [repeated] };
    if (current) used.add(current.id);
    const changes = withKnownReferences(mergeChanges(current, record, media), existing, record.isTrusted);
    const composed = composeProduct(current, changes, {
      id: current?.id ?? idFor(record, used),
      businessId,
      caller: ctx.caller,
      nowSeconds: ctx.now,
      publicUrl: ctx.publicUrl(),
      media,
      existing,
      sanitize: (record.texts ?? NOTHING_PREPARED).sanitize,
      isTrusted: record.isTrusted ?? false,
    });
    used.add(composed.product.id);
    const errors = [...composed.errors, ...missing(composed.product), ...takenSkus(composed.product, matches)];
    return errors.length > 0 ? { errors } : { record, current, changes, composed };
  });
  await chooseSlugs(ctx, plans);
  return save(ctx, plans);
}

/** A file from another business refers to categories and products that don't exist here. */
function withKnownReferences(
  changes: ProductChanges,
  existing: ReadonlySet<string>,
  isTrusted = false,
): ProductChanges {
  const { categoryIds, relatedIds } = changes;
  const known = (ids: string[]) => (isTrusted ? ids : ids.filter((id) => existing.has(id)));
  return {
    ...changes,
    ...(categoryIds ? { categoryIds: known(categoryIds) } : {}),
    ...(relatedIds ? { relatedIds: known(relatedIds) } : {}),
  };
}

const repeated: FieldError = {
  field: 'id',
  error: 'DUPLICATE',
  message: 'Another record in the file refers to the same product.',
};

function keysOf(records: readonly ProductImport[]) {
  return {
    ids: records.flatMap(({ id }) => (id === undefined ? [] : [id])),
    slugs: records.flatMap(({ input }) => (input.slug === undefined ? [] : [input.slug])),
    skus: records.flatMap(({ input }) => (input.variants ?? []).flatMap(({ sku }) => (sku ? [sku] : []))),
  };
}

function targetOf({ id, input }: ProductImport, { ids, slugs, skus }: Matches): string | null {
  if (id !== undefined && ids.has(id)) return id;
  if (input.slug !== undefined && slugs.has(input.slug)) return slugs.get(input.slug)!;
  const owners = new Set((input.variants ?? []).flatMap(({ sku }) => (sku && skus.has(sku) ? [skus.get(sku)!] : [])));
  return owners.size === 1 ? [...owners][0]! : null;
}

/** Keeps the record's ID if it is a valid, unused product ID. */
const idFor = ({ id }: ProductImport, used: ReadonlySet<string>) =>
  id !== undefined && used.has(id) ? newId('prod') : keptId('prod', id);

const mediaOf = ({ input, addresses }: ProductImport) => [...mediaIdsOf(input), ...(addresses?.values() ?? [])];

const missing = ({ name }: Product): FieldError[] =>
  name === '' ? [{ field: 'name', error: 'REQUIRED', message: 'name is required to create a product.' }] : [];

function takenSkus({ id, variants }: Product, { skus }: Matches): FieldError[] {
  return variants.flatMap(({ sku }, i) => {
    const owner = sku === '' ? undefined : skus.get(sku);
    if (owner === undefined || owner === id) return [];
    const field = `variants[${i}].sku`;
    return [{ field, error: 'DUPLICATE', message: `SKU ${sku} is already used by another product.` }];
  });
}

/** Generated slugs may get a number appended. Slugs from the file are either free or already belong to the product. */
async function chooseSlugs(ctx: Command, plans: readonly (Plan | { errors: FieldError[] })[]): Promise<void> {
  const generated = plans.flatMap((plan) =>
    'errors' in plan || plan.composed.slugGiven ? [] : [plan.composed.product],
  );
  if (generated.length === 0) return;
  const candidates = generated.map(({ slug }) => slugCandidates(slug).filter((each) => !RESERVED_SLUGS.has(each)));
  const taken = await listTakenSlugs(ctx.db, ctx.businessId, candidates.flat());
  for (const plan of plans) if (!('errors' in plan) && plan.composed.slugGiven) taken.add(plan.composed.product.slug);
  for (const [i, product] of generated.entries()) {
    product.slug = candidates[i]!.find((slug) => !taken.has(slug))!;
    taken.add(product.slug);
  }
}

async function save(ctx: Command, plans: readonly (Plan | { errors: FieldError[] })[]): Promise<ImportOutcome[]> {
  const created: { product: Product; history: readonly PriceRow[] }[] = [];
  const changed: Plan[] = [];
  const outcomes = plans.map((plan): ImportOutcome => {
    if ('errors' in plan) return plan;
    const { current, composed, record } = plan;
    const { product } = composed;
    const summary = { id: product.id, waiting: waitingOf(product, ctx.publicUrl()) };
    if (current === null) {
      product.createdAt = record.createdAt ?? product.createdAt;
      product.updatedAt = record.updatedAt ?? product.updatedAt;
      created.push({ product, history: record.history ?? [] });
      return { result: 'CREATED', ...summary };
    }
    if (isSameRecord(product, current)) return { result: 'UNCHANGED', ...summary };
    changed.push(plan);
    return { result: 'UPDATED', ...summary };
  });
  const settled = await Promise.all(
    created.map(async ({ product, history }) => ({
      product: await settlePrices(ctx, null, product, history),
      history,
    })),
  );
  await insertProducts(ctx, settled);
  for (const { product } of created) {
    await saveMedia(ctx, product);
    await planScheduled(ctx, `product:${product.id}`, [], product.scheduled);
  }
  for (let i = 0; i < changed.length; i += CONCURRENCY) {
    await Promise.all(
      changed
        .slice(i, i + CONCURRENCY)
        .map(({ composed: { product }, changes, record }) =>
          changeRecord(ctx, { kind: productKind, id: product.id, changes, texts: record.texts }),
        ),
    );
  }
  for (const plan of plans) {
    if ('errors' in plan) continue;
    for (const sale of plan.record.sales ?? []) await scheduleSale(ctx, plan.composed.product, sale);
  }
  return outcomes;
}

async function saveMedia(ctx: Command, product: Product): Promise<void> {
  const used = await findUsedMedia(ctx, mediaIdsOf(product));
  if (used.size > 0) await saveReferences(ctx.db, ctx.businessId, `product:${product.id}`, [...used.keys()]);
}

const waitingOf = ({ gallery, variants, blocks }: Product, publicUrl: string): string[] =>
  waitingAddresses(
    [...gallery, ...variants.flatMap((variant) => variant.gallery ?? []), ...mediaIn(blocks)],
    publicUrl,
  );
