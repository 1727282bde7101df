import { sanitizeHtml } from '../../../shared/blocks/html.ts';
import type { BlockDefinition, BlockValue } from '../../../shared/blocks/index.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import { localText, tag } from '../../../shared/text/locales.ts';

export const isRichText = (definition: BlockDefinition | undefined) => definition?.settings?.variant === 'HTML';

/** Sanitized rich text. Sanitized again because the stored value may date from when the block was plain text. */
export const richValue = (value: unknown, locale: string): string => sanitizeHtml(localText(value, locale)) ?? '';

/** The value of `{{entry.blockId}}`, or an empty string if the block has none. */
export function blockText(block: BlockValue, definition: BlockDefinition | undefined, locale: string): string {
  const { value } = block;
  if (value === null || value === undefined) return '';
  switch (block.type) {
    case 'TEXT':
      return isRichText(definition ?? block) ? plainText(richValue(value, locale)) : localText(value, locale);
    case 'NUMBER':
      return new Intl.NumberFormat(tag(locale)).format(value as number);
    case 'DATE':
      return new Intl.DateTimeFormat(tag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(
        (value as number) * 1000,
      );
    case 'SELECT':
      return optionLabel(value as string, definition);
    case 'MULTI_SELECT':
      return (value as string[]).map((option) => optionLabel(option, definition)).join(', ');
    case 'GEO_LOCATION': {
      const { latitude, longitude } = value as { latitude: number; longitude: number };
      return `${latitude}, ${longitude}`;
    }
    case 'MEDIA':
      return mediaOf(value)
        .map(({ url }) => url)
        .join(' ');
    default:
      return Array.isArray(value) ? value.join(', ') : String(value);
  }
}

export const mediaOf = (value: unknown) =>
  (Array.isArray(value) ? value : [value]) as { url: string; mimeType?: string; alt?: unknown }[];

type Option = string | { value: string; label?: string };

function optionLabel(value: string, definition: BlockDefinition | undefined): string {
  const options = (definition?.settings?.options ?? []) as Option[];
  const found = options.find((option) => typeof option !== 'string' && option.value === value);
  return (typeof found === 'object' && found.label) || value;
}
