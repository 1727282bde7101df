import type { Inventory, Product, Variant } from './schemas.ts';

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

export const withQuantities = (product: StoredProduct, quantities: Quantities): Product => ({
  ...product,
  variants: product.variants.map((variant) => ({
    ...variant,
    inventory: { ...variant.inventory, quantity: quantityOf(quantities, variant.id) },
  })),
});

/** Uses `hasOwn` because a variant's ID may be `constructor`. */
export const quantityOf = (quantities: Quantities, id: string): number =>
  Object.hasOwn(quantities, id) ? quantities[id]! : 0;
