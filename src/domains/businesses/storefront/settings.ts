/** Rules for the settings of a storefront. Pure functions. */
import type { Sanitize } from '../../../shared/blocks/index.ts';
import { type FieldError, invalidField } from '../../../shared/errors.ts';
import { contrast } from '../../../shared/mail/brand.ts';
import type { Configs } from '../schemas.ts';
import type { StorefrontSettings } from './schemas.ts';

/** Readable text needs this contrast (WCAG 2.2 AA). */
const TEXT_CONTRAST = 4.5;
const DEFAULTS = { background: '#f7f3ec', text: '#221c17', accent: '#a4401f' };

/** Sanitizes the legal pages, and lists each host once. HTML that is nested too deeply can't be sanitized. */
export function completeStorefront(
  { legal, hosts, ...settings }: StorefrontSettings,
  sanitize: Sanitize,
): StorefrontSettings {
  const clean = (name: string, text: string) => sanitize(text) ?? refuseText(`configs.storefront.legal.${name}`);
  return {
    ...settings,
    ...(hosts && { hosts: [...new Set(hosts)] }),
    ...(legal && { legal: mapValues(legal, (text, name) => sanitizeLegal(text, (each) => clean(name, each))) }),
  };
}

type LegalText = string | Record<string, string>;

const mapValues = <T, U>(values: Record<string, T>, map: (value: T, name: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

const sanitizeLegal = (text: LegalText, clean: (text: string) => string): LegalText =>
  typeof text === 'string' ? clean(text) : mapValues(text, clean);

function refuseText(field: string): never {
  throw invalidField(field, 'TOO_COMPLEX', `${field} is nested too deeply. Simplify the HTML.`);
}

export function checkStorefront({ storefront }: Configs): FieldError[] {
  if (!storefront) return [];
  return [...checkColors(storefront), ...checkLinks(storefront)];
}

function checkColors({ theme }: StorefrontSettings): FieldError[] {
  const colors = { ...DEFAULTS, ...theme?.colors };
  return (['text', 'accent'] as const)
    .filter((name) => contrast(colors[name], colors.background) < TEXT_CONTRAST)
    .filter((name) => theme?.colors?.[name] !== undefined || theme?.colors?.background !== undefined)
    .map((name) => {
      const field = `configs.storefront.theme.colors.${name}`;
      const message = `${field} doesn't have enough contrast with the background. Choose colors with a contrast ratio of at least 4.5:1.`;
      return { field, error: 'LOW_CONTRAST', message };
    });
}

/** Browsers read `//host` as another site. */
function checkLinks({ navigation = [], announcement, footer }: StorefrontSettings): FieldError[] {
  const urls = [
    ...navigation.flatMap(({ url, items = [] }, i) => [
      [`navigation[${i}].url`, url] as const,
      ...items.map((item, j) => [`navigation[${i}].items[${j}].url`, item.url] as const),
    ]),
    ['announcement.url', announcement?.url] as const,
    ...(footer?.links ?? []).map(({ url }, i) => [`footer.links[${i}].url`, url] as const),
  ];
  return urls
    .filter(([, url]) => url?.startsWith('//'))
    .map(([name]) => {
      const field = `configs.storefront.${name}`;
      return { field, error: 'INVALID_VALUE', message: `${field} must start with a single slash or with https://.` };
    });
}
