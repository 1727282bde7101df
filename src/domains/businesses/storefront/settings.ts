/** Rules for the settings of a storefront. Pure functions. */
import { sanitizeHtml } from '../../../shared/blocks/html.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { contrast } from '../../../shared/mail/brand.ts';
import type { Configs } from '../schemas.ts';
import { LEGAL_PAGES, type StorefrontSettings } from './schemas.ts';

/** Readable text needs this contrast (WCAG 2.2 AA). */
const TEXT_CONTRAST = 4.5;
const DEFAULTS = { background: '#f7f3ec', text: '#221c17', accent: '#a4401f' };

/** Legal texts are sanitized, and a host is listed once. */
export function completeStorefront({ legal, hosts, ...settings }: StorefrontSettings): StorefrontSettings {
  return {
    ...settings,
    ...(hosts && { hosts: [...new Set(hosts)] }),
    ...(legal && { legal: Object.fromEntries(Object.entries(legal).map(([name, text]) => [name, sanitized(text)])) }),
  };
}

type LegalText = string | Record<string, string>;

const sanitized = (text: LegalText): LegalText =>
  typeof text === 'string'
    ? (sanitizeHtml(text) ?? '')
    : Object.fromEntries(Object.entries(text).map(([locale, each]) => [locale, sanitizeHtml(each) ?? '']));

export function checkStorefront({ storefront }: Configs): FieldError[] {
  if (!storefront) return [];
  return [...checkColors(storefront), ...checkLegal(storefront)];
}

function checkColors({ theme }: StorefrontSettings): FieldError[] {
  const colors = { ...DEFAULTS, ...theme?.colors };
  return (['text', 'accent'] as const)
    .filter((name) => contrast(colors[name], colors.background) < TEXT_CONTRAST)
    .filter((name) => theme?.colors?.[name] !== undefined || theme?.colors?.background !== undefined)
    .map((name) => {
      const field = `configs.storefront.theme.colors.${name}`;
      const message = `${field} is hard to read on the background. Choose colors with a contrast of at least 4.5:1.`;
      return { field, error: 'LOW_CONTRAST', message };
    });
}

/** HTML that is nested too deeply can't be sanitized. */
function checkLegal({ legal = {} }: StorefrontSettings): FieldError[] {
  return LEGAL_PAGES.filter((name) =>
    Object.values(textsOf(legal[name])).some((text) => sanitizeHtml(text) === null),
  ).map((name) => {
    const field = `configs.storefront.legal.${name}`;
    return { field, error: 'TOO_COMPLEX', message: `${field} is nested too deeply. Simplify the HTML.` };
  });
}

const textsOf = (text: LegalText | undefined) => (typeof text === 'string' ? [text] : (text ?? {}));
