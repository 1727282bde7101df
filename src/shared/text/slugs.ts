import { firstCharacters, foldText } from './text.ts';

/** A slug can have up to 100 characters. Generated slugs are shorter, so that a number can be added. */
const MAX_GENERATED = 80;
const SMALL_NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9];
const LARGE_NUMBERS = 3;

/** Generates a slug from a name: letters and digits of any script, words joined by hyphens. `fallback` is for names without any. */
export function slugFrom(name: string, fallback = 'untitled'): string {
  const words = foldText(name)
    .replace(/\p{M}+/gu, '')
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return firstCharacters(words, MAX_GENERATED).replace(/^-|-$/g, '') || fallback;
}

/**
 * The slugs to try, in this order, for a record whose slug must be unique: `lamp`, `lamp-2` … `lamp-9`, then large random numbers,
 * which are almost certainly free.
 */
export const slugCandidates = (slug: string): string[] => [slug, ...numbers().map((number) => `${slug}-${number}`)];

const numbers = () => [...SMALL_NUMBERS, ...Array.from({ length: LARGE_NUMBERS }, randomNumber)];

const randomNumber = () => 10 ** 6 + Math.floor(Math.random() * 9 * 10 ** 6);
