/** Paths of a storefront, without the part that names the business. Pure. */
import { isLocale } from '../../shared/text/locales.ts';

/**
 * Two paths that lead to the same page have the same form: decoded, without query, fragment and trailing slash. `..` is resolved, so
 * that no path leaves the storefront.
 */
export function normalizePath(path: string): string {
  const { pathname } = new URL(path.replace(/[?#].*$/s, '').replaceAll(/\/{2,}/g, '/'), 'http://storefront');
  const bare = pathname.replaceAll(/\/{2,}/g, '/');
  const trimmed = bare.length > 1 ? bare.replace(/\/$/, '') : bare;
  try {
    return decodeURI(trimmed).normalize('NFC');
  } catch {
    return trimmed;
  }
}

/** Paths on the same site are normalized. Other sites keep their URL. */
export const normalizeTarget = (to: string): string => (to.startsWith('/') ? normalizePath(to) : to);

/** The path of a record's page. Languages other than the default have a prefix. */
export const pagePath = (folder: string, slug: string, locale: string | null = null): string =>
  `${locale === null ? '' : `/${locale}`}/${folder}/${slug}`;

/** The language at the beginning of a path, and the path without it. */
export function splitLocale(path: string): { locale: string | null; rest: string } {
  const [, first = '', rest = ''] = /^\/([^/]+)(\/.+)$/s.exec(path) ?? [];
  return isLocale(first) ? { locale: first, rest } : { locale: null, rest: path };
}
