/** What a record of a file makes of a product that is there. Pure. */
import { currentStatus } from '../../shared/statuses.ts';
import { adoptMedia, type MediaById } from '../media/index.ts';
import type { ProductImport } from './import-products.ts';
import type { Product, ProductChanges, Variant, VariantInput } from './schemas.ts';

type Gallery = NonNullable<VariantInput['gallery']>;
type Item = Gallery[number];
type MarketPrice = Variant['pricing']['markets'][number];

/** The changes that any save could have sent. What the file does not name stays as it is. */
export function mergeChanges(current: Product | null, record: ProductImport, media: MediaById): ProductChanges {
  const { status, statuses, gallery, variants, blocks, ...rest } = record.input;
  const { addresses } = record;
  const adopt = galleryAdopter(addresses ?? new Map(), media);
  const known = current?.blocks ?? [];
  const wanted = status ?? statuses?.at(-1)?.status;
  const isNewStatus = current !== null && wanted !== undefined && wanted !== currentStatus(current.statuses);
  return {
    ...rest,
    ...(current === null
      ? (statuses ?? status) === undefined
        ? {}
        : { statuses: statuses ?? [{ status: status! }] }
      : {}),
    ...(isNewStatus ? { statuses: [{ status: wanted }] } : {}),
    ...(gallery ? { gallery: adopt(gallery, current?.gallery ?? []) } : {}),
    ...(variants ? { variants: mergeVariants(current?.variants ?? [], variants, adopt) } : {}),
    ...(blocks ? { blocks: mergeBlocks(known, adoptMedia(blocks, known, { addresses, media })) as typeof blocks } : {}),
  };
}

type Adopt = (items: Gallery, current: readonly { id: string; url: string }[]) => Gallery;

/**
 * An item that the product has, or the library, stays that; another one is known by its address. Those of the product that are not
 * named follow.
 */
const galleryAdopter =
  (addresses: ReadonlyMap<string, string>, media: MediaById): Adopt =>
  (items, current) => {
    const known = new Map(current.map((item) => [item.id, item as Item]));
    const adopted = items.map((item): Item => {
      if (item.id !== undefined && known.has(item.id)) return known.get(item.id)!;
      if (item.id !== undefined && media.has(item.id)) return item;
      const id = item.url === undefined ? undefined : addresses.get(item.url);
      if (id === undefined) return item;
      return known.get(id) ?? (media.has(id) ? { id } : { ...item, id });
    });
    const ids = new Set(adopted.map(({ id }) => id));
    const once = adopted.filter(({ id }, i) => id === undefined || adopted.findIndex((other) => other.id === id) === i);
    return [...once, ...current.filter(({ id }) => !ids.has(id))];
  };

function mergeVariants(current: readonly Variant[], incoming: readonly VariantInput[], adopt: Adopt): VariantInput[] {
  const left = new Map(current.map((variant) => [variant.id, variant]));
  const merged = incoming.map((variant) => {
    const known = findKnown(variant, left, incoming.length === 1 && current.length === 1);
    if (known) left.delete(known.id);
    return mergeVariant(known, variant, adopt);
  });
  return [...merged, ...left.values()];
}

function findKnown(variant: VariantInput, left: ReadonlyMap<string, Variant>, isOnly: boolean): Variant | undefined {
  if (variant.id !== undefined && left.has(variant.id)) return left.get(variant.id);
  const others = [...left.values()];
  const bySku = variant.sku ? others.find(({ sku }) => sku === variant.sku) : undefined;
  if (bySku) return bySku;
  const options = optionsOf(variant);
  const byOptions = options === '' ? undefined : others.find((other) => optionsOf(other) === options);
  if (byOptions) return byOptions;
  return isOnly && options === '' && variant.id === undefined ? others[0] : undefined;
}

const optionsOf = ({ attributes = [] }: Pick<VariantInput, 'attributes'>) =>
  attributes
    .map(({ name, value }) => `${name}\u0001${value}`.toLowerCase())
    .sort()
    .join('\u0002');

function mergeVariant(known: Variant | undefined, variant: VariantInput, adopt: Adopt): VariantInput {
  const gallery = variant.gallery ? adopt(variant.gallery, known?.gallery ?? []) : known?.gallery;
  return {
    ...known,
    ...variant,
    ...(known ? { id: known.id, name: variant.name || known.name, sku: variant.sku || known.sku } : {}),
    pricing: { markets: mergePrices(known?.pricing.markets ?? [], variant.pricing?.markets ?? []) },
    ...(gallery ? { gallery } : {}),
  };
}

/** Market codes and currencies compare without case, and stay as they were written first. */
function mergePrices(known: readonly MarketPrice[], incoming: readonly MarketPrice[]): MarketPrice[] {
  const left = new Map(incoming.map((price) => [price.marketId.toLowerCase(), price]));
  const merged = known.map((price) => {
    const next = left.get(price.marketId.toLowerCase());
    if (!next) return price;
    left.delete(price.marketId.toLowerCase());
    const isSame = next.currency.toLowerCase() === price.currency.toLowerCase();
    return { ...next, marketId: price.marketId, currency: isSame ? price.currency : next.currency };
  });
  // A market that the file names twice is for the rules of a save to refuse.
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
