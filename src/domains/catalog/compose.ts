import { type BlockValue, checkBlocks, type Sanitize } from '../../shared/blocks.ts';
import type { Caller } from '../../shared/caller.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Media } from '../../shared/schemas.ts';
import { slugFrom } from '../../shared/slugs.ts';
import { currentStatus, extendHistory } from '../../shared/statuses.ts';
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
    caller: Caller;
    nowSeconds: number;
    publicUrl: string;
    sanitize: Sanitize;
  },
): Composed {
  const { id, businessId, caller, nowSeconds } = context;
  const completeMedia = mediaCompleter(context.publicUrl);
  const errors: FieldError[] = [];
  const name = changes.name ?? current?.name ?? '';
  const slug = changes.slug ?? current?.slug ?? slugFrom(name, id.replace('_', '-'));
  const variants = changes.variants
    ? composeVariants(changes.variants, current, completeMedia, errors)
    : (current?.variants ?? []);
  const product: Product = {
    id,
    businessId,
    name,
    slug,
    description: changes.description ?? current?.description ?? '',
    category: changes.category ?? current?.category ?? '',
    gallery: changes.gallery ? changes.gallery.map(completeMedia) : (current?.gallery ?? []),
    variants,
    statuses: current?.statuses ?? [],
    blocks: changes.blocks ? cleanBlocks(changes.blocks, context.sanitize, errors) : (current?.blocks ?? []),
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
  try {
    product.statuses = extendHistory({
      history: product.statuses,
      incoming: changes.statuses,
      allowed: PRODUCT_STATUSES,
      initial: 'ACTIVE',
      caller,
      businessId,
      nowSeconds,
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    errors.push(...error.details);
  }
  return { product, slugGiven: changes.slug !== undefined || current !== null, errors };
}

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
  completeMedia: CompleteMedia,
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
      ...(input.gallery ? { gallery: input.gallery.map(completeMedia) } : {}),
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

function cleanBlocks(blocks: unknown, sanitize: Sanitize, errors: FieldError[]): BlockValue[] {
  const checked = checkBlocks(blocks, 'blocks', { sanitize });
  errors.push(...checked.errors);
  return checked.blocks;
}

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

type CompleteMedia = (media: { id?: string; url: string; mimeType?: string }) => Media;

/** An address of this service is stored as a path, so that it stays right when the service moves. */
const mediaCompleter =
  (publicUrl: string): CompleteMedia =>
  ({ id, url: given, mimeType }) => {
    const isOwn = given?.startsWith(`${publicUrl}/`) && given[publicUrl.length + 1] !== '/';
    const url = isOwn ? given.slice(publicUrl.length) : given;
    const ending = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? '';
    return { id: id ?? newId('media'), url, mimeType: mimeType ?? MIME_TYPES[ending] ?? 'application/octet-stream' };
  };

const duplicate = (field: string, message: string): FieldError => ({
  field,
  error: 'DUPLICATE',
  message: `${field} ${message}`,
});
