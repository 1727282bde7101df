/** The public part of an entry that not everyone can read. Pure. */

import { PAYWALL } from '../../../shared/blocks/html.ts';
import type { BlockValue } from '../../../shared/blocks/index.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { Entry } from './schemas.ts';

/** Blocks that everyone can read. */
const ALWAYS_PUBLIC: readonly string[] = ['title', 'excerpt', 'cover'];

export const isGated = ({ access = 'PUBLIC' }: Pick<Entry, 'access'>) => access !== 'PUBLIC';

/** Rich text up to its paywall divider, and the blocks that are always public. */
export const publicBlocks = (blocks: readonly BlockValue[]): BlockValue[] =>
  blocks.flatMap((block) => {
    const value = block.type === 'TEXT' ? textBeforePaywall(block.value) : undefined;
    if (value !== undefined) return [{ ...block, value }];
    return ALWAYS_PUBLIC.includes(block.id) ? [block] : [];
  });

/** Undefined if the text has no divider. Translations without one are left out. */
function textBeforePaywall(value: unknown): unknown {
  if (typeof value === 'string') return beforePaywall(value);
  if (!isRecord(value)) return undefined;
  const cut = Object.entries(value).flatMap(([locale, text]) => {
    const before = beforePaywall(String(text));
    return before === undefined ? [] : [[locale, before]];
  });
  return cut.length > 0 ? Object.fromEntries(cut) : undefined;
}

/** The sanitizer keeps dividers only outside of other elements, so the text before one is complete HTML. */
function beforePaywall(text: string): string | undefined {
  const end = text.indexOf(PAYWALL);
  return end === -1 ? undefined : text.slice(0, end);
}

/** The entry as readers without access see it. */
export const publicPart = (entry: Entry): Entry & { locked?: boolean } =>
  isGated(entry) ? { ...entry, blocks: publicBlocks(entry.blocks), locked: true } : entry;
