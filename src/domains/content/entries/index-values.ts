/** Derives an entry's index from its blocks. Pure. */
import type { BlockValue } from '../../../shared/blocks/index.ts';
import { foldText } from '../../../shared/text/text.ts';
import { isGated, publicBlocks } from './public-part.ts';
import type { Entry } from './schemas.ts';

/**
 * Increment this whenever this file or `shared/text/text-words.ts` yields different values for the same entry, and
 * update the condition of the index `entries_outdated` in a migration. A job then reindexes older entries.
 */
export const INDEX_RULES = 2;

/** Pseudo-blocks: block IDs never start with `$`. */
export const LOCALE = '$locale';
export const UPDATED_AT = '$updatedAt';

/** The status of values of a published entry that only staff can filter and sort by. Other values have the status of their entry. */
export const LOCKED = 'LOCKED';

/** A value the entry can be filtered by. The value with `n` 0 also sorts the entry. */
type IndexedValue = { blockId: string; n: number; key: string; isLocked: boolean };

type Indexed = Pick<Entry, 'locale' | 'updatedAt' | 'blocks' | 'access'>;

const MAX_EXACT = 200;
const MAX_FOLDED = 100;
/** A tsvector holds up to a megabyte, and a character takes up to three bytes. */
const MAX_CHARACTERS = 200_000;

export function indexedValues(entry: Indexed): IndexedValue[] {
  const { locale, updatedAt, blocks } = entry;
  const values = [
    { blockId: LOCALE, n: 0, key: textKey(locale), isLocked: false },
    { blockId: UPDATED_AT, n: 0, key: numberKey(updatedAt), isLocked: false },
  ];
  const visible = new Map((isGated(entry) ? publicBlocks(blocks) : blocks).map((block) => [block.id, block]));
  for (const block of blocks) {
    const found = visible.get(block.id);
    const open = new Set(found ? keysOf(found, locale) : []);
    const keys = new Set([...open, ...keysOf(block, locale)]);
    let n = 0;
    for (const key of keys) values.push({ blockId: block.id, n: n++, key, isLocked: !open.has(key) });
  }
  return values;
}

/** All keys that a value in a query string may match: `1.5` is both a number and a string. */
export function keysOfText(text: string): string[] {
  const keys = [textKey(text)];
  if (text.trim() !== '' && Number.isFinite(Number(text))) keys.push(numberKey(Number(text)));
  if (text === 'true' || text === 'false') keys.push(booleanKey(text === 'true'));
  return keys;
}

/** The distinct words of all text, folded so that case and accents don't matter. */
export function searchWords(blocks: readonly BlockValue[], wordsOf: (text: string) => Iterable<string>): string[] {
  const found = new Set<string>();
  let left = MAX_CHARACTERS;
  for (const text of blocks.flatMap(textsOf)) {
    for (const word of wordsOf(text)) {
      if (found.has(word)) continue;
      left -= word.length;
      if (left < 0) return [...found];
      found.add(word);
    }
  }
  return [...found];
}

function keysOf({ type, value }: BlockValue, locale: string): string[] {
  if (value === null || value === undefined) return [];
  switch (type) {
    case 'NUMBER':
    case 'DATE':
      return [numberKey(value as number)];
    case 'BOOLEAN':
      return [booleanKey(value as boolean)];
    case 'TEXT':
      return inOwnLocaleFirst(value, locale).filter(Boolean).map(textKey);
    case 'SELECT':
    case 'MULTI_SELECT':
    case 'RELATIONSHIP':
      return [value].flat().map((item) => textKey(item as string));
    case 'MEDIA':
      return [value]
        .flat()
        .flatMap((item) => ((item as { id?: string }).id ? [textKey((item as { id: string }).id)] : []));
    case 'GEO_LOCATION':
      return [];
  }
}

function inOwnLocaleFirst(value: unknown, locale: string): string[] {
  if (typeof value === 'string') return [value];
  const texts = value as Record<string, string>;
  const own = texts[locale];
  return own === undefined ? Object.values(texts) : [own, ...Object.values(texts)];
}

function textsOf({ type, value }: BlockValue): string[] {
  if (value === null) return [];
  if (type === 'TEXT') return typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
  if (type === 'SELECT') return [value as string];
  return type === 'MULTI_SELECT' ? (value as string[]) : [];
}

/** A key that sorts by folded text and equals only the same text. Long values sort but never compare equal. */
const textKey = (text: string) =>
  `t${foldText(text.slice(0, MAX_FOLDED)).slice(0, MAX_FOLDED)}\u0001${text.length > MAX_EXACT ? '' : text}`;

const booleanKey = (value: boolean) => `b${value ? 1 : 0}`;

const bytes = Buffer.alloc(8);

/** The bits of the number, rearranged to sort numerically. */
function numberKey(value: number): string {
  bytes.writeDoubleBE(value + 0);
  const isNegative = (bytes[0]! & 0x80) !== 0;
  for (let i = 0; i < 8; i++) bytes[i] = isNegative ? ~bytes[i]! : bytes[i]!;
  if (!isNegative) bytes[0]! |= 0x80;
  return `n${bytes.toString('hex')}`;
}
