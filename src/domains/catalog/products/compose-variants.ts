import { checkCurrencies } from '../../../shared/currencies.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { ComposeGallery } from './compose-media.ts';
import type { MarketPrice, Product, Variant, VariantInput } from './schemas.ts';

export const NO_CUSTOMS = { weight: null, barcode: null, hsCode: null, originCountry: null };

export function composeVariants(
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

/** An ongoing reduction keeps its lowest price. `settlePrices` sets it where a reduction begins. */
export const composePrices = (sent: readonly MarketPrice[], known: readonly MarketPrice[] = []): MarketPrice[] =>
  sent.map(({ lowestPrice30: _, unitPrice: __, ...price }) => {
    const same = known.find((each) => isSamePrice(each, price));
    const isOngoing = same?.lowestPrice30 !== undefined && (price.compareAtPrice ?? 0) > price.price;
    return isOngoing ? { ...price, lowestPrice30: same.lowestPrice30! } : price;
  });

/** Invalid fields of the second price are absent, because the rules of products also run on invalid bodies. */
const isSamePrice = (known: MarketPrice, { price, marketId = '', currency = '' }: MarketPrice) =>
  known.price === price &&
  known.marketId.toLowerCase() === marketId.toLowerCase() &&
  known.currency.toLowerCase() === currency.toLowerCase();

export function checkPriceCurrencies(variants: readonly Variant[], current: Product | null): FieldError[] {
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

const duplicate = (field: string, message: string): FieldError => ({
  field,
  error: 'DUPLICATE',
  message: `${field} ${message}`,
});
