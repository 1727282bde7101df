import { sanitizeHtml } from '../../../shared/blocks/html.ts';
import type { BlockDefinition, BlockValue } from '../../../shared/blocks/index.ts';
import { plainText } from './plain-text.ts';

export const isRichText = (definition: BlockDefinition | undefined) => definition?.settings?.variant === 'HTML';

/** A TEXT value in the email's locale, else in its language, else in the first language available. */
export function localText(value: unknown, locale: string): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const texts = Object.entries(value as Record<string, string>).filter(([, text]) => text !== '');
  const language = locale.split(/[-_]/)[0]!.toLowerCase();
  const found =
    texts.find(([key]) => key.toLowerCase() === locale.toLowerCase()) ??
    texts.find(([key]) => key.split(/[-_]/)[0]!.toLowerCase() === language) ??
    texts[0];
  return found?.[1] ?? '';
}

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
  (Array.isArray(value) ? value : [value]) as { url: string; mimeType?: string }[];

/** The BCP 47 tag of a locale stored with `-` or `_`. Unknown locales are treated as English. */
export function tag(locale: string): string {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).toString();
  } catch {
    return 'en';
  }
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Samr', 'Mand']);

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(new Intl.Locale(tag(locale)).maximize().script ?? '') ? 'rtl' : 'ltr';

type Option = string | { value: string; label?: string };

function optionLabel(value: string, definition: BlockDefinition | undefined): string {
  const options = (definition?.settings?.options ?? []) as Option[];
  const found = options.find((option) => typeof option !== 'string' && option.value === value);
  return (typeof found === 'object' && found.label) || value;
}
