import { DEFAULT_TAX_CLASS, type Inventory, type MarketPrice, type Product, type Variant } from './schemas.ts';

type StoredVariant = Omit<Variant, 'inventory'> & { inventory: Omit<Inventory, 'quantity'> };

/** The stored product document. Quantities live in `stock`, so that a sale never touches the product. */
export type StoredProduct = Omit<Product, 'variants'> & { variants: StoredVariant[] };

/** Keyed by variant ID. */
export type Quantities = Readonly<Record<string, number>>;

export const storedProduct = (product: Product): StoredProduct => ({
  ...product,
  variants: product.variants.map(({ inventory: { quantity: _, ...inventory }, ...variant }) => ({
    ...variant,
    inventory,
  })),
});

/** Adds the fields that products stored by older versions don't have. */
export const withDefaults = <P extends Product | StoredProduct>(product: P): P => ({
  ...product,
  categoryIds: product.categoryIds ?? [],
  relatedIds: product.relatedIds ?? [],
  taxClassId: product.taxClassId ?? DEFAULT_TAX_CLASS,
  variants: product.variants.map((variant) => ({
    ...variant,
    requiresShipping: variant.requiresShipping ?? true,
    pricing: { ...variant.pricing, markets: variant.pricing.markets.map(withLowest) },
  })),
});

const withLowest = (price: MarketPrice): MarketPrice =>
  price.lowestPrice30 === undefined && (price.compareAtPrice ?? 0) > price.price
    ? { ...price, lowestPrice30: price.price }
    : price;

export const withQuantities = (product: StoredProduct, quantities: Quantities): Product => ({
  ...withDefaults(product),
  variants: withDefaults(product).variants.map((variant) => ({
    ...variant,
    inventory: { ...variant.inventory, quantity: quantityOf(quantities, variant.id) },
  })),
});

/** Uses `hasOwn` because a variant's ID may be `constructor`. */
export const quantityOf = (quantities: Quantities, id: string): number =>
  Object.hasOwn(quantities, id) ? quantities[id]! : 0;
