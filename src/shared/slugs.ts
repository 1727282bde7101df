const MAX_LENGTH = 100;

/** A slug made from a name: letters and digits of any script, words joined by hyphens. Never empty. */
export function slugFrom(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'untitled';
}

/** The same slug for another record: with a number at its end. */
export const numberedSlug = (slug: string, number: number) =>
  `${slug.slice(0, MAX_LENGTH - String(number).length - 1).replace(/-+$/, '')}-${number}`;
