/** Files that a record names and that lie in no library here, such as those of another business, are fetched from their addresses. */
import { isRecord } from '../../../shared/is-record.ts';
import { isLocale } from '../../../shared/locales.ts';
import { firstCharacters, isStorable } from '../../../shared/text.ts';
import { type Alt, MAX_ALT_LENGTH, MAX_ALT_LOCALES, MAX_TITLE_LENGTH, mediaIn } from '../../media/index.ts';
import type { Converted, NamedPicture } from './format.ts';

/** More than any has. */
const MAX_FILE_NAME = 255;

type Item = { url?: unknown; alt?: unknown; title?: unknown; focalPoint?: unknown; fileName?: unknown };

/**
 * Notes the addresses of the record's files and what is said of them, before its shape is checked. Which of them are in the library
 * already is found out when it is saved.
 */
export function noteFiles(record: Converted, row: number): void {
  if (record.kind !== 'product' && record.kind !== 'entry') return;
  const { gallery, variants, blocks } = record.data.input as Record<string, unknown>;
  const items = [gallery, ...listOf(variants).map((variant) => variant.gallery)].flatMap(listOf) as Item[];
  const pictures = record.pictures ?? new Map<string, NamedPicture>();
  for (const { url, alt, title, focalPoint, fileName } of [...items, ...(mediaIn(listOf(blocks) as never) as Item[])]) {
    if (typeof url !== 'string' || !/^https?:\/\/\S+$/i.test(url) || pictures.has(url)) continue;
    const about = { alt: altOf(alt), title: textOf(title, MAX_TITLE_LENGTH), ...pointOf(focalPoint) };
    pictures.set(url, { row, ...about, fileName: textOf(fileName, MAX_FILE_NAME) });
  }
  if (pictures.size > 0) record.pictures = pictures;
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const textOf = (value: unknown, length: number): string =>
  typeof value === 'string' && isStorable(value) ? firstCharacters(value.slice(0, 2 * length), length) : '';

/** A text, or texts by locale; what is neither is left out. */
function altOf(value: unknown): Alt {
  const texts = Object.entries(isRecord(value) ? value : {})
    .slice(0, MAX_ALT_LOCALES)
    .flatMap(([locale, text]) =>
      isLocale(locale) && typeof text === 'string' ? [[locale, textOf(text, MAX_ALT_LENGTH)]] : [],
    );
  return texts.length > 0 ? Object.fromEntries(texts) : textOf(value, MAX_ALT_LENGTH);
}

function pointOf(value: unknown): Pick<NamedPicture, 'focalPoint'> {
  const { x, y } = isRecord(value) ? value : {};
  return isShare(x) && isShare(y) ? { focalPoint: { x, y } } : {};
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
