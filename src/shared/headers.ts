/** Request headers that browsers and CDNs send with reads. */

/** Whether `If-None-Match` has this tag. Weak and strong tags match each other. */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((part) => opaque(part.trim()) === opaque(tag)));

const opaque = (tag: string) => tag.replace(/^W\//, '');

/** Whether `Accept-Encoding` lists Brotli, and not with a weight of 0. */
export const acceptsBrotli = (header = ''): boolean =>
  header.split(',').some((part) => /^\s*br\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(part));
