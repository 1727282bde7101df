/** Pictures of an export that comes from another business lie in no library here: they are fetched from their addresses. */
import { isRecord } from '../../../shared/is-record.ts';
import { isLocale } from '../../../shared/locales.ts';
import { type Alt, MAX_ALT_LENGTH, MAX_ALT_LOCALES } from '../../media/index.ts';
import type { Converted, NamedPicture } from './format.ts';

type Item = { id?: string; url?: string; alt?: unknown };

/** Notes the addresses of the record's pictures. Which of them are in the library already is found out when they are saved. */
export function mapMediaIds(record: Converted, row: number): void {
  if (record.kind !== 'product') return;
  const { gallery = [], variants = [] } = record.data.input as { gallery?: Item[]; variants?: { gallery?: Item[] }[] };
  const items = [gallery, ...(Array.isArray(variants) ? variants : []).map((variant) => variant?.gallery ?? [])].flat();
  const pictures = new Map<string, NamedPicture>();
  for (const item of items) {
    if (typeof item?.url !== 'string' || !/^https?:\/\/\S+$/i.test(item.url)) continue;
    pictures.set(item.url, { row, alt: altOf(item.alt) });
  }
  if (pictures.size > 0) record.pictures = pictures;
}

/** A text, or texts by locale; what is neither is left out. */
function altOf(value: unknown): Alt {
  if (typeof value === 'string') return value.slice(0, MAX_ALT_LENGTH);
  const texts = Object.entries(isRecord(value) ? value : {})
    .slice(0, MAX_ALT_LOCALES)
    .flatMap(([locale, text]) =>
      isLocale(locale) && typeof text === 'string' ? [[locale, text.slice(0, MAX_ALT_LENGTH)]] : [],
    );
  return texts.length > 0 ? Object.fromEntries(texts) : '';
}
