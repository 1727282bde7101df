/** All islands by name. */
import type { Islands } from '../island.tsx';
import { CartCount } from './cart-count.tsx';
import { Gallery } from './gallery.tsx';
import { VariantPicker } from './variant-picker.tsx';

export const islands: Islands = {
  'cart-count': CartCount,
  gallery: Gallery,
  'variant-picker': VariantPicker,
};
