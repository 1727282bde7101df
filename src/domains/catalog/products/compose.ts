import { AS_IS, type BlockValue, checkBlocks, type Sanitize } from '../../../shared/blocks/index.ts';
import { collect } from '../../../shared/collect.ts';
import { checkCurrencies } from '../../../shared/currencies.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { compactPlanned } from '../../../shared/records/planned-fields.ts';
import { currentStatus, sentStatuses } from '../../../shared/records/status-history.ts';
import { planStatuses } from '../../../shared/records/status-schedule.ts';
import type { Media, MediaInput } from '../../../shared/schemas.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import { slugFrom } from '../../../shared/text/slugs.ts';
import { type MediaById, mediaIdsIn, useMedia, useMediaInBlocks } from '../../media/index.ts';
import { composeTexts } from './compose-texts.ts';
import {
  DEFAULT_TAX_CLASS,
  type MarketPrice,
  PRODUCT_STATUSES,
  type Product,
  type ProductChanges,
  RESERVED_SLUGS,
  type Variant,
  type VariantInput,
} from './schemas.ts';

export type Composed = {
  product: Product;
  /** False if the slug was generated from the name and may get a number appended to be unique. */
  slugGiven: boolean;
  errors: FieldError[];
};

/**
 * Applies `changes` to `current`, or builds a new product if `current` is null. Omitted fields are kept; a list replaces the
 * previous list. A variant sent without `inventory` or shipping details, or without some of them, keeps the existing values.
 */
export function composeProduct(
  current: Product | null,
  changes: ProductChanges,
  context: {
    id: string;
    businessId: string;
    /** Null for the system, which sets statuses itself. */
    caller: Caller | null;
    nowSeconds: number;
    publicUrl: string;
    sanitize: Sanitize;
    media: MediaById;
    /** The existing categories and products among those that the change names. */
    existing: ReadonlySet<string>;
    /** Set when importing a whole business: referenced records and files may be missing. */
    isTrusted?: boolean;
  },
): Composed {
  const { id, businessId, caller, nowSeconds } = context;
  const errors: FieldError[] = [];
  const gallery = galleryComposer(context, current, errors);
  const name = changes.name ?? current?.name ?? '';
  const slug = changes.slug ?? current?.slug ?? slugFrom(name, id.replace('_', '-'));
  const variants = changes.variants
    ? composeVariants(changes.variants, current, gallery, errors)
    : (current?.variants ?? []);
  if (changes.variants && !context.isTrusted) errors.push(...checkPriceCurrencies(variants, current));
  const product: Product = {
    id,
    businessId,
    name,
    slug,
    ...composeTexts(current, changes, { sanitize: context.sanitize, errors }),
    category: changes.category ?? current?.category ?? '',
    categoryIds: references('categoryIds', changes, current, context, errors),
    relatedIds: references('relatedIds', changes, current, context, errors).filter((other) => other !== id),
    taxClassId: changes.taxClassId ?? current?.taxClassId ?? DEFAULT_TAX_CLASS,
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
      message: 'slug is reserved. Choose a different one.',
    });
  }
  if (caller)
    Object.assign(
      product,
      collect(errors, () => planned(product, changes, { caller, businessId, nowSeconds })),
    );
  return {
    product: compactPlanned(product),
    slugGiven: changes.slug !== undefined || current !== null,
    errors,
  };
}

type ReferenceField = 'categoryIds' | 'relatedIds';

/** A new reference must exist. One that the product already has is dropped when its record is gone. */
function references(
  field: ReferenceField,
  { [field]: sent }: ProductChanges,
  current: Product | null,
  { existing, isTrusted }: { existing: ReadonlySet<string>; isTrusted?: boolean },
  errors: FieldError[],
): string[] {
  const known = current?.[field] ?? [];
  if (!sent) return known;
  if (isTrusted) return sent;
  for (const [i, id] of sent.entries()) {
    if (existing.has(id) || known.includes(id)) continue;
    const at = `${field}[${i}]`;
    errors.push({ field: at, error: 'NOT_FOUND', message: `${at} does not exist.` });
  }
  return sent.filter((id) => existing.has(id));
}

const planned = (
  { statuses, scheduled = [] }: Product,
  changes: Pick<ProductChanges, 'status' | 'statuses' | 'scheduled'>,
  by: { caller: Caller; businessId: string; nowSeconds: number },
) =>
  planStatuses({
    history: statuses,
    scheduled,
    incoming: sentStatuses(changes, statuses),
    rescheduled: changes.scheduled,
    ...by,
    allowed: PRODUCT_STATUSES,
    initial: 'ACTIVE',
    live: 'ACTIVE',
  });

/** The fields that drafts and versions don't cover. */
type NotContent =
  | 'id'
  | 'businessId'
  | 'statuses'
  | 'scheduled'
  | 'hasDraft'
  | 'createdAt'
  | 'updatedAt'
  | 'defaultSlug';

/** The fields that drafts and versions cover: everything except statuses. Their quantities are ignored. */
export const contentOf = ({
  id: _,
  businessId: _business,
  statuses: _statuses,
  scheduled: _scheduled,
  hasDraft: _hasDraft,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...content
}: Product): Omit<Product, NotContent> => content;

const NO_CUSTOMS = { weight: null, barcode: null, hsCode: null, originCountry: null };
/** Optional content, which a version without it clears. */
const NO_TEXTS = { descriptionHtml: null, seo: null, translations: null, manufacturer: null, safety: null };

/** The changes that give a product this content. Details that a variant doesn't have are cleared. */
export const changesTo = (product: Product) => ({
  ...NO_TEXTS,
  ...contentOf(product),
  variants: product.variants.map((variant) => ({ ...NO_CUSTOMS, unitPricing: null, ...variant })),
});

export const statusOf = (product: Product) => currentStatus(product.statuses) ?? 'DRAFT';

/** The lowest price per market. Market codes are compared case-insensitively. */
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
    if (ids.has(id)) errors.push(duplicate(`${at}.id`, 'is already used by another variant.'));
    if (sku !== '' && skus.has(sku)) errors.push(duplicate(`${at}.sku`, 'is already used by another variant.'));
    ids.add(id);
    skus.add(sku);
    const markets = input.pricing?.markets ?? [];
    const seen = new Set<string>();
    for (const [j, { marketId = '' }] of markets.entries()) {
      const market = marketId.toLowerCase();
      if (seen.has(market))
        errors.push(duplicate(`${at}.pricing.markets[${j}].marketId`, 'must be unique within a variant.'));
      seen.add(market);
    }
    return {
      id,
      name: input.name ?? '',
      sku,
      attributes: input.attributes ?? [],
      pricing: { markets: composePrices(markets, known.get(id)?.pricing.markets) },
      inventory: composeInventory(input.inventory, known.get(id)?.inventory),
      ...(input.gallery ? { gallery: composeGallery(input.gallery, `${at}.gallery`) } : {}),
      ...composeUnitPricing(input, known.get(id)),
      ...composeCustoms(input, known.get(id)),
    };
  });
}

/** A reduction that goes on keeps its lowest price. `settlePrices` sets it where a reduction begins. */
export const composePrices = (sent: readonly MarketPrice[], known: readonly MarketPrice[] = []): MarketPrice[] =>
  sent.map(({ lowestPrice30: _, unitPrice: __, ...price }) => {
    const same = known.find((each) => isSamePrice(each, price));
    const goesOn = same?.lowestPrice30 !== undefined && (price.compareAtPrice ?? 0) > price.price;
    return goesOn ? { ...price, lowestPrice30: same.lowestPrice30! } : price;
  });

const isSamePrice = (a: MarketPrice, b: MarketPrice) =>
  a.price === b.price &&
  a.marketId.toLowerCase() === b.marketId.toLowerCase() &&
  a.currency.toLowerCase() === b.currency.toLowerCase();

function checkPriceCurrencies(variants: readonly Variant[], current: Product | null): FieldError[] {
  const sent = variants.flatMap(({ pricing }, i) =>
    pricing.markets.map(({ currency }, j) => ({ field: `variants[${i}].pricing.markets[${j}].currency`, currency })),
  );
  return checkCurrencies(
    sent,
    current?.variants.flatMap(({ pricing }) => pricing.markets.map(({ currency }) => currency)),
  );
}

function composeInventory(input: VariantInput['inventory'], known: Variant['inventory'] | undefined) {
  const threshold = input?.lowStockThreshold === undefined ? known?.lowStockThreshold : input.lowStockThreshold;
  return {
    tracked: input?.tracked ?? known?.tracked ?? input !== undefined,
    quantity: input?.quantity ?? known?.quantity ?? 0,
    ...(threshold === undefined || threshold === null ? {} : { lowStockThreshold: threshold }),
  };
}

function composeUnitPricing(
  { unitPricing: sent }: VariantInput,
  known: Variant | undefined,
): Pick<Variant, 'unitPricing'> {
  const unitPricing = sent === undefined ? known?.unitPricing : sent && { ...sent, reference: sent.reference ?? 1 };
  return unitPricing ? { unitPricing } : {};
}

function composeCustoms(input: VariantInput, known: Variant | undefined) {
  const chosen = (name: keyof typeof NO_CUSTOMS) => (input[name] === undefined ? known?.[name] : input[name]);
  const names = Object.keys(NO_CUSTOMS) as (keyof typeof NO_CUSTOMS)[];
  const customs = names.map((name) => [name, chosen(name) ?? undefined]).filter(([, value]) => value !== undefined);
  return {
    requiresShipping: input.requiresShipping ?? known?.requiresShipping ?? true,
    ...(Object.fromEntries(customs) as Pick<Variant, keyof typeof NO_CUSTOMS>),
  };
}

type BlockContext = { sanitize: Sanitize; media: MediaById; isTrusted?: boolean };

function cleanBlocks(
  blocks: unknown,
  current: Product | null,
  { sanitize, media, isTrusted = false }: BlockContext,
  errors: FieldError[],
): BlockValue[] {
  const checked = checkBlocks(blocks, 'blocks', { sanitize });
  errors.push(...checked.errors);
  const missing = isTrusted ? [] : mediaReferences(checked).filter(({ id }) => !media.has(id));
  // References that the product already has are accepted: clients send back the blocks they read.
  const existing = new Set(missing.length === 0 ? [] : referencesOf(current?.blocks ?? []));
  for (const { id, field } of missing) {
    if (!existing.has(id))
      errors.push({ field, error: 'NOT_FOUND', message: `${field} does not match a file in the media library.` });
  }
  return useMediaInBlocks(checked.blocks, media);
}

const mediaReferences = ({ references }: ReturnType<typeof checkBlocks>) =>
  references.filter(({ targetType }) => targetType === 'MEDIA');

const referencesOf = (blocks: unknown) =>
  mediaReferences(checkBlocks(blocks, 'blocks', { sanitize: AS_IS })).map(({ id }) => id);

/** IDs of all files referenced by a change or a product. */
export function mediaIdsOf({
  gallery = [],
  variants = [],
  blocks = [],
}: Pick<ProductChanges, 'gallery' | 'variants' | 'blocks'>): (string | undefined)[] {
  const galleries = [gallery, ...variants.map((variant) => variant.gallery ?? [])];
  const checked = checkBlocks(blocks, 'blocks', { sanitize: AS_IS });
  const references = mediaReferences(checked).map(({ id }) => id);
  return [...galleries.flat().map(({ id }) => id), ...mediaIdsIn(checked.blocks), ...references];
}

type ComposeGallery = (items: readonly MediaInput[], field: string) => Media[];

/** Files that the product already has are kept, whatever their type. */
function galleryComposer(
  { media, publicUrl }: { media: MediaById; publicUrl: string },
  current: Product | null,
  errors: FieldError[],
): ComposeGallery {
  const kept = new Set([current?.gallery, ...(current?.variants ?? []).map(({ gallery }) => gallery)].flatMap(idsIn));
  return (items, field) =>
    items.map((item, i) => {
      const composed = completeMedia(useMedia(item, media, `${field}[${i}]`, errors), publicUrl);
      if (!VISUAL.test(composed.mimeType) && !kept.has(composed.id)) errors.push(notVisual(`${field}[${i}]`));
      return composed;
    });
}

const idsIn = (gallery: readonly Media[] = []) => gallery.map(({ id }) => id);

/** The type of a file at another URL can be unknown. */
const VISUAL = /^(?:image|video)\/|^application\/octet-stream$/;

const notVisual = (field: string): FieldError => ({
  field,
  error: 'UNSUPPORTED_TYPE',
  message: `${field} must be an image or a video.`,
});

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

/** URLs of this service are stored as paths, so they survive a change of domain. */
export function completeMedia(item: Media | MediaInput, publicUrl: string): Media {
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

/** The data a cart needs about a variant that only a save can change. */
export type SoldAs = {
  productName: string;
  variantName: string;
  sku: string;
  prices: Variant['pricing']['markets'];
  options: Variant['attributes'];
  /** The first image of the variant, or else of the product. */
  image: Pick<Media, 'id' | 'url' | 'mimeType'> | null;
  /** Missing if it is the default. */
  taxClassId?: string;
  weight?: number;
  requiresShipping?: boolean;
};

export function soldAs(
  product: Product,
  { name: variantName, sku, pricing, attributes, gallery = [], weight, requiresShipping }: Variant,
): SoldAs {
  const image = [...gallery, ...product.gallery].find(({ mimeType }) => mimeType.startsWith('image/'));
  return {
    productName: product.name,
    variantName,
    sku,
    prices: pricing.markets.map(({ lowestPrice30: _, ...price }) => price),
    options: attributes,
    image: image ? { id: image.id, url: image.url, mimeType: image.mimeType } : null,
    ...(product.taxClassId === DEFAULT_TAX_CLASS ? {} : { taxClassId: product.taxClassId }),
    ...(requiresShipping ? {} : { requiresShipping }),
    ...(weight === undefined ? {} : { weight }),
  };
}
