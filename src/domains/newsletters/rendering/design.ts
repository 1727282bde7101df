import type { Accent } from '../../../shared/mail/brand.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import { absoluteLinks, richText } from '../../../shared/mail/rich-text.ts';
import type { Template } from '../../../shared/mail/template.ts';
import type { CollectionSettings } from '../../content/index.ts';
import { richValue } from './block-text.ts';

export type Design = NonNullable<CollectionSettings['design']>;
type Bodies = { html: readonly Template[]; text: readonly Template[] };

/** Adds the header and footer of a newsletter. They have no variables, so their text is not parsed. */
export function withDesign(
  { html, text }: Bodies,
  { header, footer }: Design,
  { accent, publicUrl, locale }: { accent: Accent; publicUrl: string; locale: string },
): Bodies {
  const [above, below] = [header, footer].map((rich) => absoluteLinks(richValue(rich ?? '', locale), publicUrl));
  const asHtml = (rich = ''): Template[] => (rich ? [[richText(rich, accent)]] : []);
  const asText = (rich = ''): Template[] => (rich ? [[plainText(rich)]] : []);
  return {
    html: [...asHtml(above), ...html, ...asHtml(below)],
    text: [...asText(above), ...text, ...asText(below)],
  };
}
