import type { Media } from '../../../shared/schemas.ts';
import { DEFAULT_TAX_CLASS, type Product, type Variant } from './schemas.ts';

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
