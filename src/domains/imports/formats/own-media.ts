/** Pictures of an export that comes from another business lie in no library here: they are fetched from their addresses. */
import type { Converted } from './format.ts';

type Item = { id?: string; url?: string };

/** Notes the addresses of the record's pictures. Which of them are in the library already is found out when they are saved. */
export function mapMediaIds(record: Converted, row: number): void {
  if (record.kind !== 'product') return;
  const { gallery = [], variants = [] } = record.data.input as { gallery?: Item[]; variants?: { gallery?: Item[] }[] };
  const items = [gallery, ...(Array.isArray(variants) ? variants : []).map((variant) => variant?.gallery ?? [])].flat();
  const pictures = new Map<string, number>();
  for (const item of items) {
    if (typeof item?.url === 'string' && /^https?:\/\/\S+$/i.test(item.url)) pictures.set(item.url, row);
  }
  if (pictures.size > 0) record.pictures = pictures;
}
