/**
 * Products that come from a file, many at a time, by the rules of any save. What is there is found by its id, its slug or an SKU
 * and changed; what is not is made. Nothing is deleted: variants, prices, blocks and pictures that the file does not name stay.
 */
import { NOTHING_PREPARED, type PreparedTexts } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import { type FormerIdentity, isId, newId } from '../../shared/ids.ts';
import { slugCandidates } from '../../shared/slugs.ts';
import { isSameRecord } from '../../shared/statuses.ts';
import { findUsedMedia, mediaIn, saveReferences, waitingAddresses } from '../media/index.ts';
import { planScheduled } from '../publishing/index.ts';
import { type Composed, composeProduct, mediaIdsOf } from './compose.ts';
import type { Command } from './context.ts';
import { parseDocument } from './document.ts';
import { findMatches, insertProducts, listTakenSlugs, lockProducts, type Matches } from './import-queries.ts';
import { mergeChanges } from './merge-product.ts';
import { changeProduct } from './save-product.ts';
import { type Product, type ProductChanges, RESERVED_SLUGS } from './schemas.ts';

export type ProductImport = FormerIdentity & {
  /** Of the right shape. */
  input: ProductChanges & { status?: 'DRAFT' | 'ACTIVE' | 'ARCHIVED' };
  texts?: PreparedTexts;
  /** Files that it refers to may be missing. */
  trusts?: boolean;
  /** The ids of pictures that are known by their address only. */
  addresses?: ReadonlyMap<string, string>;
};

type ImportOutcome =
  | {
      result: 'CREATED' | 'UPDATED' | 'UNCHANGED';
      id: string;
      /** Addresses of its pictures that are not in the library. */
      waiting?: string[];
    }
  | { errors: FieldError[] };

/** Changes that go out together on the transaction's connection. */
const AT_ONCE = 8;

type Plan = { record: ProductImport; current: Product | null; changes: ProductChanges; composed: Composed };

/** One outcome for each record, in their order. Products and stock are locked in the order of their ids, all at once. */
export async function importProducts(ctx: Command, records: readonly ProductImport[]): Promise<ImportOutcome[]> {
  const { db: tx, businessId } = ctx;
  const matches = await findMatches(tx, businessId, keysOf(records));
  const targets = records.map((record) => targetOf(record, matches));
  const rows = await lockProducts(tx, businessId, [...new Set(targets.filter((id) => id !== null))].sort());
  const media = await findUsedMedia(ctx, records.flatMap(mediaOf));
  const used = new Set<string>();
  const plans = records.map((record, i): Plan | { errors: FieldError[] } => {
    const row = targets[i] ? rows.get(targets[i]) : undefined;
    if (row && used.has(row.id)) return { errors: [repeated] };
    if (row) used.add(row.id);
    const current = row ? parseDocument(row.doc, row.quantities) : null;
    const changes = mergeChanges(current, record, media);
    const composed = composeProduct(current, changes, {
      id: row?.id ?? idFor(record, used),
      ...{ businessId, caller: ctx.caller, nowSeconds: ctx.now, publicUrl: ctx.publicUrl(), media },
      ...{ sanitize: (record.texts ?? NOTHING_PREPARED).sanitize, trusts: record.trusts ?? false },
    });
    used.add(composed.product.id);
    const errors = [...composed.errors, ...missing(composed.product), ...takenSkus(composed.product, matches)];
    return errors.length > 0 ? { errors } : { record, current, changes, composed };
  });
  await chooseSlugs(ctx, plans);
  return save(ctx, plans);
}

const repeated: FieldError = {
  field: 'id',
  error: 'DUPLICATE',
  message: 'Another record of the file is the same product.',
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

/** The one that the record has, where it can be an id here. */
const idFor = ({ id }: ProductImport, used: ReadonlySet<string>) =>
  id !== undefined && isId('prod', id) && !used.has(id) ? id : newId('prod');

const mediaOf = ({ input, addresses }: ProductImport) => [...mediaIdsOf(input), ...(addresses?.values() ?? [])];

const missing = ({ name }: Product): FieldError[] =>
  name === '' ? [{ field: 'name', error: 'REQUIRED', message: 'A new product needs a name.' }] : [];

function takenSkus({ id, variants }: Product, { skus }: Matches): FieldError[] {
  return variants.flatMap(({ sku }, i) => {
    const owner = sku === '' ? undefined : skus.get(sku);
    if (owner === undefined || owner === id) return [];
    const field = `variants[${i}].sku`;
    return [{ field, error: 'DUPLICATE', message: `The SKU ${sku} is used by another product.` }];
  });
}

/** A slug that is made from the name may get a number; one that the file gives is free, or belongs to the product. */
async function chooseSlugs(ctx: Command, plans: readonly (Plan | { errors: FieldError[] })[]): Promise<void> {
  const made = plans.flatMap((plan) => ('errors' in plan || plan.composed.slugGiven ? [] : [plan.composed.product]));
  if (made.length === 0) return;
  const candidates = made.map(({ slug }) => slugCandidates(slug).filter((each) => !RESERVED_SLUGS.has(each)));
  const taken = await listTakenSlugs(ctx.db, ctx.businessId, candidates.flat());
  for (const plan of plans) if (!('errors' in plan) && plan.composed.slugGiven) taken.add(plan.composed.product.slug);
  for (const [i, product] of made.entries()) {
    product.slug = candidates[i]!.find((slug) => !taken.has(slug))!;
    taken.add(product.slug);
  }
}

async function save(ctx: Command, plans: readonly (Plan | { errors: FieldError[] })[]): Promise<ImportOutcome[]> {
  const fresh: Product[] = [];
  const changed: Plan[] = [];
  const outcomes = plans.map((plan): ImportOutcome => {
    if ('errors' in plan) return plan;
    const { current, composed, record } = plan;
    const { product } = composed;
    const told = { id: product.id, waiting: waitingOf(product, ctx.publicUrl()) };
    if (current === null) {
      product.createdAt = record.createdAt ?? product.createdAt;
      product.updatedAt = record.updatedAt ?? product.updatedAt;
      fresh.push(product);
      return { result: 'CREATED', ...told };
    }
    if (isSameRecord(product, current)) return { result: 'UNCHANGED', ...told };
    changed.push(plan);
    return { result: 'UPDATED', ...told };
  });
  await insertProducts(ctx, fresh);
  for (const product of fresh) {
    await saveMedia(ctx, product);
    await planScheduled(ctx, `product:${product.id}`, [], product.scheduled);
  }
  for (let i = 0; i < changed.length; i += AT_ONCE) {
    await Promise.all(
      changed
        .slice(i, i + AT_ONCE)
        .map(({ composed, changes, record }) => changeProduct(ctx, { id: composed.product.id, changes }, record.texts)),
    );
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
