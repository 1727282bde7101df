import { pagePath } from '../../redirects/index.ts';

type Named = { slug: string; translations?: Record<string, { slug?: string }> };

/** The pages of a record whose path changed: in the default language, and in languages with their own slug. */
export function movesOf(folder: string, before: Named, after: Named): { from: string; to: string }[] {
  const own = (record: Named, locale: string) => record.translations?.[locale]?.slug || undefined;
  const locales = new Set([...Object.keys(before.translations ?? {}), ...Object.keys(after.translations ?? {})]);
  return [
    { from: pagePath(folder, before.slug), to: pagePath(folder, after.slug) },
    ...[...locales]
      .filter((locale) => own(before, locale) ?? own(after, locale))
      .map((locale) => ({
        from: pagePath(folder, own(before, locale) ?? before.slug, locale),
        to: pagePath(folder, own(after, locale) ?? after.slug, locale),
      })),
  ].filter(({ from, to }) => from !== to);
}
