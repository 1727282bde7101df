/** Merges a record from a file into an existing product. Pure. */
import type { PreparedTexts } from '../../../shared/blocks/index.ts';
import type { PreviousIdentity } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import { type MediaById, matchImportedMedia } from '../../media/index.ts';
import type { PriceRow } from '../prices/price-queries.ts';
import type { Sale } from '../prices/sale-prices.ts';
import type { Product, ProductChanges, Variant, VariantInput } from '../products/schemas.ts';

export type ProductImport = PreviousIdentity & {
  /** Already validated against the schema. */
  input: ProductChanges & { status?: 'DRAFT' | 'ACTIVE' | 'ARCHIVED' };
  texts?: PreparedTexts;
  /** Referenced files may be missing. */
  isTrusted?: boolean;
  /** Saves the product as DRAFT if it would have no variants. */
  draftWithoutVariants?: boolean;
  /** Image IDs by URL, for images that the file identifies only by URL. */
  addresses?: ReadonlyMap<string, string>;
  /** The earlier prices of a product, from the export of a business. */
  history?: readonly PriceRow[];
  /** Sales that start or end in the future. */
  sales?: readonly Sale[];
};

type Gallery = NonNullable<VariantInput['gallery']>;
type Item = Gallery[number];
type MarketPrice = Variant['pricing']['markets'][number];

/** Returns the changes that an equivalent normal save would make. Anything missing from the file stays as it is. */
export function mergeChanges(current: Product | null, record: ProductImport, media: MediaById): ProductChanges {
  const { status: sentStatus, statuses, gallery, variants, blocks, ...rest } = record.input;
  const isUnsellable = !variants?.length && !current?.variants.length && sentStatus !== 'ARCHIVED';
  const status = record.draftWithoutVariants && isUnsellable ? 'DRAFT' : sentStatus;
  const { addresses } = record;
  const matchGallery = galleryMatcher(addresses ?? new Map(), media);
  const known = current?.blocks ?? [];
  const newStatus = status ?? statuses?.at(-1)?.status;
  const isNewStatus = current !== null && newStatus !== undefined && newStatus !== currentStatus(current.statuses);
  return {
    ...rest,
    ...(current === null
      ? (statuses ?? status) === undefined
        ? {}
        : { statuses: statuses ?? [{ status: status! }] }
      : {}),
    ...(isNewStatus ? { statuses: [{ status: newStatus }] } : {}),
    ...(gallery ? { gallery: matchGallery(gallery, current?.gallery ?? []) } : {}),
    ...(variants ? { variants: mergeVariants(current?.variants ?? [], variants, matchGallery) } : {}),
    ...(blocks
      ? { blocks: mergeBlocks(known, matchImportedMedia(blocks, known, { addresses, media })) as typeof blocks }
      : {}),
  };
}

type MatchGallery = (items: Gallery, current: readonly { id: string; url: string }[]) => Gallery;

/**
 * Keeps items that are already in the product or the media library, and matches other items by URL. Appends the remaining
 * items of the product.
 */
const galleryMatcher =
  (addresses: ReadonlyMap<string, string>, media: MediaById): MatchGallery =>
  (items, current) => {
    const known = new Map(current.map((item) => [item.id, item as Item]));
    const matched = items.map((item): Item => {
      if (item.id !== undefined && known.has(item.id)) return known.get(item.id)!;
      if (item.id !== undefined && media.has(item.id)) return item;
      const id = item.url === undefined ? undefined : addresses.get(item.url);
      if (id === undefined) return item;
      return known.get(id) ?? (media.has(id) ? { id } : { ...item, id });
    });
    const ids = new Set(matched.map(({ id }) => id));
    const once = matched.filter(({ id }, i) => id === undefined || matched.findIndex((other) => other.id === id) === i);
    return [...once, ...current.filter(({ id }) => !ids.has(id))];
  };

function mergeVariants(
  current: readonly Variant[],
  incoming: readonly VariantInput[],
  matchGallery: MatchGallery,
): VariantInput[] {
  const left = new Map(current.map((variant) => [variant.id, variant]));
  const find = variantFinder(current, left, incoming.length === 1 && current.length === 1);
  const merged = incoming.map((variant) => {
    const known = find(variant);
    if (known) left.delete(known.id);
    return mergeVariant(known, variant, matchGallery);
  });
  return [...merged, ...left.values()];
}

/** Matches a variant from the file to one in `left`: by ID, by SKU, by options, or because there is only one. */
function variantFinder(current: readonly Variant[], left: ReadonlyMap<string, Variant>, isOnly: boolean) {
  const bySku = Map.groupBy(current, ({ sku }) => sku);
  const byOptions = Map.groupBy(current, optionsOf);
  const first = (found: Variant[] | undefined) => found?.find(({ id }) => left.has(id));
  return (variant: VariantInput): Variant | undefined => {
    if (variant.id !== undefined && left.has(variant.id)) return left.get(variant.id);
    const options = optionsOf(variant);
    return (
      (variant.sku ? first(bySku.get(variant.sku)) : undefined) ??
      (options === '' ? undefined : first(byOptions.get(options))) ??
      (isOnly && options === '' && variant.id === undefined ? first([...current]) : undefined)
    );
  };
}

const optionsOf = ({ attributes = [] }: Pick<VariantInput, 'attributes'>) =>
  attributes
    .map(({ name, value }) => `${name}\u0001${value}`.toLowerCase())
    .sort()
    .join('\u0002');

function mergeVariant(known: Variant | undefined, variant: VariantInput, matchGallery: MatchGallery): VariantInput {
  const gallery = variant.gallery ? matchGallery(variant.gallery, known?.gallery ?? []) : known?.gallery;
  return {
    ...known,
    ...variant,
    ...(known ? { id: known.id, name: variant.name || known.name, sku: variant.sku || known.sku } : {}),
    pricing: { markets: mergePrices(known?.pricing.markets ?? [], variant.pricing?.markets ?? []) },
    ...(gallery ? { gallery } : {}),
  };
}

/** Market codes and currencies are compared case-insensitively and keep their original spelling. */
function mergePrices(known: readonly MarketPrice[], incoming: readonly MarketPrice[]): MarketPrice[] {
  const left = new Map(incoming.map((price) => [price.marketId.toLowerCase(), price]));
  const merged = known.map((price) => {
    const next = left.get(price.marketId.toLowerCase());
    if (!next) return price;
    left.delete(price.marketId.toLowerCase());
    const isSame = next.currency.toLowerCase() === price.currency.toLowerCase();
    return { ...next, marketId: price.marketId, currency: isSame ? price.currency : next.currency };
  });
  // If the file lists a market twice, the validation of the save reports it.
  return left.size + merged.length < incoming.length && known.length === 0
    ? [...incoming]
    : [...merged, ...left.values()];
}

function mergeBlocks<T extends { id: string }>(
  known: readonly T[],
  incoming: readonly { id: string }[],
): { id: string }[] {
  const left = new Map(incoming.map((block) => [block.id, block]));
  const merged = known.map((block) => {
    const next = left.get(block.id);
    left.delete(block.id);
    return next ?? block;
  });
  return [...merged, ...left.values()];
}
