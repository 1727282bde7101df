import type { Sanitize } from '../../../shared/blocks/index.ts';
import { collect } from '../../../shared/collect.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { compactPlanned } from '../../../shared/records/planned-fields.ts';
import { currentStatus, sentStatuses } from '../../../shared/records/status-history.ts';
import { planStatuses } from '../../../shared/records/status-schedule.ts';
import type { Caller } from '../../../shared/security/caller.ts';
import { slugFrom } from '../../../shared/text/slugs.ts';
import type { MediaById } from '../../media/index.ts';
import { cleanBlocks, galleryComposer } from './compose-media.ts';
import { composeTexts } from './compose-texts.ts';
import { checkPriceCurrencies, composeVariants, NO_CUSTOMS } from './compose-variants.ts';
import { DEFAULT_TAX_CLASS, PRODUCT_STATUSES, type Product, type ProductChanges, RESERVED_SLUGS } from './schemas.ts';

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

/** Optional content, which a version without it clears. */
const NO_TEXTS = { descriptionHtml: null, seo: null, translations: null, manufacturer: null, safety: null };

/** The changes that give a product this content. Details that are missing from a variant are cleared. */
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
