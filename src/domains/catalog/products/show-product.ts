import { pickFields } from '../../../shared/records/pick-fields.ts';
import { showBlocks, showMedia } from '../../../shared/records/show-blocks.ts';
import type { Media } from '../../../shared/schemas.ts';
import { withUnitPrices } from '../prices/unit-price.ts';
import { Product } from './schemas.ts';
import { type StoredProduct, withDefaults } from './stored-product.ts';

/** Expands the paths of a product's files to full URLs. */
export function withFullUrls<P extends Product | StoredProduct>(stored: P, publicUrl: string): P {
  const product = withDefaults(stored);
  const show = (item: Media) => showMedia(item, publicUrl);
  return {
    ...product,
    gallery: product.gallery.map(show),
    variants: product.variants.map((each) => {
      const variant = withUnitPrices(each);
      return variant.gallery ? { ...variant, gallery: variant.gallery.map(show) } : variant;
    }),
    blocks: showBlocks(product.blocks, publicUrl),
  };
}

/** A product as members see it, in responses to changes and in events. */
export const showProduct = (product: Product, publicUrl: string): Product =>
  withFullUrls(pickFields(Product, product), publicUrl);
