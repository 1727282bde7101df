import { sanitizeHtml } from '../../../shared/blocks/html.ts';
import type { CollectionSettings } from './schemas.ts';

/** Rich text that is nested too deeply is dropped. */
const clean = (html: string) => sanitizeHtml(html) ?? '';

/** Sanitizes the rich text in a newsletter's design. */
export const completeSettings = ({ design, ...settings }: CollectionSettings): CollectionSettings => {
  if (!design) return settings;
  const { header, footer, ...look } = design;
  return {
    ...settings,
    design: {
      ...look,
      ...(header === undefined ? {} : { header: clean(header) }),
      ...(footer === undefined ? {} : { footer: clean(footer) }),
    },
  };
};
