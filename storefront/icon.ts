/** The icon of a site: the initial of the business in its accent color. */
import type { Site } from './page.ts';
import { escapeXml } from './site.ts';
import { accentOf } from './theme.ts';

export function siteIcon({ name, locale, config: { theme = {} } }: Site): string {
  const { accent, onAccent } = accentOf(theme);
  const language = locale.replace('_', '-');
  const [first] = new Intl.Segmenter(language).segment(name.trim());
  const initial = escapeXml(first?.segment.toLocaleUpperCase(language) ?? '');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><text x="16" y="22.5" fill="${onAccent}" font-family="system-ui, sans-serif" font-size="18" font-weight="600" text-anchor="middle">${initial}</text></svg>
`;
}
