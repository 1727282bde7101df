/** All islands by name. */
import type { Islands } from '../island.tsx';
import { AutoSubmit } from './auto-submit.tsx';
import { CartCount } from './cart-count.tsx';
import { CodeLink } from './code-link.tsx';
import { Gallery } from './gallery.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SupportBar } from './support-bar.tsx';
import { SupportStart } from './support-start.tsx';
import { VariantPicker } from './variant-picker.tsx';

export const islands: Islands = {
  'auto-submit': AutoSubmit,
  'cart-count': CartCount,
  'code-link': CodeLink,
  gallery: Gallery,
  'passkey-button': PasskeyButton,
  'support-bar': SupportBar,
  'support-start': SupportStart,
  'variant-picker': VariantPicker,
};
