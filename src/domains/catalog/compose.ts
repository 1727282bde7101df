import { AS_IT_IS, type BlockValue, checkBlocks, type Sanitize } from '../../shared/blocks.ts';
import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import type { FieldError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Media, MediaInput } from '../../shared/schemas.ts';
import { slugFrom } from '../../shared/slugs.ts';
import { currentStatus, planStatuses } from '../../shared/statuses.ts';
import { type MediaById, mediaIdsIn, useMedia, useMediaInBlocks } from '../media/index.ts';
import {
  PRODUCT_STATUSES,
  type Product,
  type ProductChanges,
  RESERVED_SLUGS,
  type Variant,
  type VariantInput,
} from './schemas.ts';

export type Composed = {
  product: Product;
  /** False: the slug was made from the name, and may get a number to be unique. */
  slugGiven: boolean;
  errors: FieldError[];
};

/**
 * The product that `changes` make of `current` (null: of nothing). Fields that are not sent stay; a list that is sent replaces
 * the list. A variant that is sent without inventory, or without a part of it, keeps what it has.
 */
export function composeProduct(
  current: Product | null,
  changes: ProductChanges,
  context: {
    id: string;
    businessId: string;
    /** Null: the service, which sets statuses by itself. */
    caller: Caller | null;
    nowSeconds: number;
    publicUrl: string;
    sanitize: Sanitize;
    media: MediaById;
    /** Of a whole business: files that blocks refer to may be missing. */
    trusts?: boolean;
  },
): Composed {
  const { id, businessId, caller, nowSeconds } = context;
  const errors: FieldError[] = [];
  const gallery = galleryComposer(context, errors);
  const name = changes.name ?? current?.name ?? '';
  const slug = changes.slug ?? current?.slug ?? slugFrom(name, id.replace('_', '-'));
  const variants = changes.variants
    ? composeVariants(changes.variants, current, gallery, errors)
    : (current?.variants ?? []);
  const product: Product = {
    id,
    businessId,
    name,
    slug,
    description: changes.description ?? current?.description ?? '',
    category: changes.category ?? current?.category ?? '',
    gallery: changes.gallery ? gallery(changes.gallery, 'gallery') : (current?.gallery ?? []),
    variants,
    statuses: current?.statuses ?? [],
    ...(current?.scheduled ? { scheduled: current.scheduled } : {}),
    ...(current?.hasDraft ? { hasDraft: true } : {}),
    blocks: changes.blocks ? cleanBlocks(changes.blocks, current, context, errors) : (current?.blocks ?? []),
    createdAt: current?.createdAt ?? nowSeconds,
    updatedAt: nowSeconds,
  };
  if (RESERVED_SLUGS.has(slug) && changes.slug !== undefined && slug !== current?.slug) {
    errors.push({
      field: 'slug',
      error: 'INVALID_VALUE',
      message: 'slug is an address of its own: choose another one.',
    });
  }
  if (caller)
    Object.assign(
      product,
      collect(errors, () => planned(product, changes, { caller, businessId, nowSeconds })),
    );
  return { product, slugGiven: changes.slug !== undefined || current !== null, errors };
}

const planned = (
  { statuses, scheduled = [] }: Product,
  changes: Pick<ProductChanges, 'statuses' | 'scheduled'>,
  by: { caller: Caller; businessId: string; nowSeconds: number },
) =>
  planStatuses({
    ...{ history: statuses, scheduled, incoming: changes.statuses, rescheduled: changes.scheduled, ...by },
    ...{ allowed: PRODUCT_STATUSES, initial: 'ACTIVE', live: 'ACTIVE' },
  });

/** What a draft has of its own and a version restores: everything but statuses. The quantities in it are not used. */
export const contentOf = ({ name, slug, description, category, gallery, variants, blocks }: Product) => ({
  ...{ name, slug, description, category, gallery, variants, blocks },
});

export const statusOf = (product: Product) => currentStatus(product.statuses) ?? 'DRAFT';

/** The lowest price in each market. Market codes compare without case. */
export function lowestPrices(product: Product): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const { marketId, price } of product.variants.flatMap((variant) => variant.pricing.markets)) {
    const market = marketId.toLowerCase();
    lowest.set(market, Math.min(price, lowest.get(market) ?? price));
  }
  return lowest;
}

function composeVariants(
  inputs: readonly VariantInput[],
  current: Product | null,
  composeGallery: ComposeGallery,
  errors: FieldError[],
): Variant[] {
  const known = new Map(current?.variants.map((variant) => [variant.id, variant]));
  const [ids, skus] = [new Set<string>(), new Set<string>()];
  return inputs.map((input, i) => {
    const at = `variants[${i}]`;
    const id = input.id ?? newId('var');
    const sku = input.sku ?? '';
    if (ids.has(id)) errors.push(duplicate(`${at}.id`, 'is the id of another variant.'));
    if (sku !== '' && skus.has(sku)) errors.push(duplicate(`${at}.sku`, 'is the SKU of another variant.'));
    ids.add(id);
    skus.add(sku);
    const markets = input.pricing?.markets ?? [];
    const seen = new Set<string>();
    for (const [j, { marketId = '' }] of markets.entries()) {
      const market = marketId.toLowerCase();
      if (seen.has(market)) errors.push(duplicate(`${at}.pricing.markets[${j}].marketId`, 'appears twice.'));
      seen.add(market);
    }
    return {
      id,
      name: input.name ?? '',
      sku,
      attributes: input.attributes ?? [],
      pricing: { markets },
      inventory: composeInventory(input.inventory, known.get(id)?.inventory),
      ...(input.gallery ? { gallery: composeGallery(input.gallery, `${at}.gallery`) } : {}),
    };
  });
}

function composeInventory(input: VariantInput['inventory'], known: Variant['inventory'] | undefined) {
  const threshold = input?.lowStockThreshold === undefined ? known?.lowStockThreshold : input.lowStockThreshold;
  return {
    tracked: input?.tracked ?? known?.tracked ?? input !== undefined,
    quantity: input?.quantity ?? known?.quantity ?? 0,
    ...(threshold === undefined || threshold === null ? {} : { lowStockThreshold: threshold }),
  };
}

type BlockContext = { sanitize: Sanitize; media: MediaById; trusts?: boolean };

function cleanBlocks(
  blocks: unknown,
  current: Product | null,
  { sanitize, media, trusts = false }: BlockContext,
  errors: FieldError[],
): BlockValue[] {
  const checked = checkBlocks(blocks, 'blocks', { sanitize });
  errors.push(...checked.errors);
  const missing = trusts ? [] : mediaReferences(checked).filter(({ id }) => !media.has(id));
  // What the product refers to already is sent back as it was read.
  const had = new Set(missing.length === 0 ? [] : referencesOf(current?.blocks ?? []));
  for (const { id, field } of missing) {
    if (!had.has(id))
      errors.push({ field, error: 'NOT_FOUND', message: `${field} names no file of the media library.` });
  }
  return useMediaInBlocks(checked.blocks, media);
}

const mediaReferences = ({ references }: ReturnType<typeof checkBlocks>) =>
  references.filter(({ targetType }) => targetType === 'MEDIA');

const referencesOf = (blocks: unknown) =>
  mediaReferences(checkBlocks(blocks, 'blocks', { sanitize: AS_IT_IS })).map(({ id }) => id);

/** The ids of files that a change, or a product, names, wherever in it. */
export function mediaIdsOf({
  gallery = [],
  variants = [],
  blocks = [],
}: Pick<ProductChanges, 'gallery' | 'variants' | 'blocks'>): (string | undefined)[] {
  const galleries = [gallery, ...variants.map((variant) => variant.gallery ?? [])];
  const checked = checkBlocks(blocks, 'blocks', { sanitize: AS_IT_IS });
  const references = mediaReferences(checked).map(({ id }) => id);
  return [...galleries.flat().map(({ id }) => id), ...mediaIdsIn(checked.blocks), ...references];
}

type ComposeGallery = (items: readonly MediaInput[], field: string) => Media[];

const galleryComposer =
  ({ media, publicUrl }: { media: MediaById; publicUrl: string }, errors: FieldError[]): ComposeGallery =>
  (items, field) =>
    items.map((item, i) => completeMedia(useMedia(item, media, `${field}[${i}]`, errors), publicUrl));

const MIME_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  svg: 'image/svg+xml',
  webm: 'video/webm',
  webp: 'image/webp',
};

/** An address of this service is stored as a path, so that it stays right when the service moves. */
function completeMedia(item: Media | MediaInput, publicUrl: string): Media {
  if ('resolutions' in item) return item;
  const { id, url: given = '', mimeType } = item;
  const isOwn = given.startsWith(`${publicUrl}/`) && given[publicUrl.length + 1] !== '/';
  const url = isOwn ? given.slice(publicUrl.length) : given;
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return { id: id ?? newId('media'), url, mimeType: mimeType ?? MIME_TYPES[ending] ?? 'application/octet-stream' };
}

const duplicate = (field: string, message: string): FieldError => ({
  field,
  error: 'DUPLICATE',
  message: `${field} ${message}`,
});

/** What a basket needs to know of a variant and only a save changes. */
export type SoldAs = {
  productName: string;
  variantName: string;
  sku: string;
  prices: Variant['pricing']['markets'];
};

export const soldAs = ({ name: productName }: Product, { name: variantName, sku, pricing }: Variant): SoldAs => ({
  ...{ productName, variantName, sku, prices: pricing.markets },
});
