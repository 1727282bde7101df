/**
 * Media files of a record that are not in this business's library, such as files of another business, are fetched
 * from their URLs.
 */
import { MAX_BLOCKS } from '../../../../shared/blocks/index.ts';
import { isRecord } from '../../../../shared/is-record.ts';
import { isLocale } from '../../../../shared/text/locales.ts';
import { firstCharacters, isStorable } from '../../../../shared/text/text.ts';
import { type Alt, MAX_ALT_LENGTH, MAX_ALT_LOCALES, MAX_TITLE_LENGTH, mediaIn } from '../../../media/index.ts';
import type { Converted, NamedImage } from '../format.ts';

/** Longer than any file name. */
const MAX_FILE_NAME = 255;
/** Longer URLs are not fetched. */
const MAX_URL = 4000;

type Item = { url?: unknown; alt?: unknown; title?: unknown; focalPoint?: unknown; fileName?: unknown };

/**
 * Collects the URLs and metadata of the record's files before its schema is checked. Saving the record determines
 * which files are already in the library. A record with too many blocks is skipped: the check rejects it.
 */
export function collectFiles(record: Converted, row: number): void {
  if (record.kind !== 'product' && record.kind !== 'entry') return;
  const { gallery, variants, blocks } = record.data.input as Record<string, unknown>;
  if (Array.isArray(blocks) && blocks.length > MAX_BLOCKS) return;
  const items = [gallery, ...listOf(variants).map((variant) => variant.gallery)].flatMap(listOf) as Item[];
  const images = record.images ?? new Map<string, NamedImage>();
  const isInGallery = new Set(items);
  for (const item of [...items, ...(mediaIn(listOf(blocks) as never) as Item[])]) {
    const { url, alt, title, focalPoint, fileName } = item;
    if (typeof url !== 'string' || url.length > MAX_URL || !/^https?:\/\/\S+$/i.test(url) || images.has(url)) continue;
    const metadata = { alt: altOf(alt), title: textOf(title, MAX_TITLE_LENGTH), ...pointOf(focalPoint) };
    const names = { fileName: textOf(fileName, MAX_FILE_NAME), isInGallery: isInGallery.has(item) };
    images.set(url, { row, ...metadata, ...names });
  }
  if (images.size > 0) record.images = images;
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const textOf = (value: unknown, length: number): string =>
  typeof value === 'string' && isStorable(value) ? firstCharacters(value.slice(0, 2 * length), length) : '';

/** Alt text as a string, or by locale; anything else is ignored. */
function altOf(value: unknown): Alt {
  const texts = Object.entries(isRecord(value) ? value : {})
    .slice(0, MAX_ALT_LOCALES)
    .flatMap(([locale, text]) =>
      isLocale(locale) && typeof text === 'string' ? [[locale, textOf(text, MAX_ALT_LENGTH)]] : [],
    );
  return texts.length > 0 ? Object.fromEntries(texts) : textOf(value, MAX_ALT_LENGTH);
}

function pointOf(value: unknown): Pick<NamedImage, 'focalPoint'> {
  const { x, y } = isRecord(value) ? value : {};
  return isFraction(x) && isFraction(y) ? { focalPoint: { x, y } } : {};
}

const isFraction = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
