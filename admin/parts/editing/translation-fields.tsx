/** Translations of a product or category: one language at a time, next to the original. */
import { useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { RichText } from '../blocks/rich-text.tsx';
import type { Bound } from '../form/field-frame.tsx';
import { optional, SelectField, TextField } from '../form/form.tsx';
import { isoName } from '../form/iso.ts';
import { IsoField } from '../form/iso-fields.tsx';
import { NO_SEO, type SeoForm, toSeo, toSeoForm } from './seo-fields.tsx';

type TranslationForm = { name: string; slug: string; description: string; seo: SeoForm };
export type TranslationForms = Record<string, TranslationForm>;

const EMPTY: TranslationForm = { name: '', slug: '', description: '', seo: NO_SEO };

type Stored = { name?: string; slug?: string; seo?: Partial<SeoForm> };

/** `descriptionOf` reads the rich text of a translation. */
export const toTranslationForms = <T extends Stored>(
  translations: Record<string, T> | undefined,
  descriptionOf: (translation: T) => string,
): TranslationForms =>
  Object.fromEntries(
    Object.entries(translations ?? {}).map(([locale, each]) => [
      locale,
      { name: each.name ?? '', slug: each.slug ?? '', description: descriptionOf(each), seo: toSeoForm(each.seo) },
    ]),
  );

/** Leaves out empty values, so that the original is shown. */
export const toTranslations = <D extends object>(forms: TranslationForms, describe: (html: string) => D) =>
  Object.fromEntries(
    Object.entries(forms).map(([locale, { name, slug, description, seo }]) => {
      const written = toSeo(seo);
      return [
        locale,
        {
          ...(name.trim() ? { name: name.trim() } : {}),
          ...(slug.trim() ? { slug: slug.trim() } : {}),
          ...(description.trim() ? describe(description) : {}),
          ...(written ? { seo: written } : {}),
        },
      ];
    }),
  );

type Props = Bound<TranslationForms> & {
  /** The values in the default language, shown as placeholders. */
  original: { name: string; slug: string };
  problemOf: (field: string) => string | undefined;
};

export function TranslationFields({ value, onInput, original, problemOf }: Props) {
  const locales = Object.keys(value);
  const [chosen, setChosen] = useState(locales[0] ?? '');
  const locale = chosen in value ? chosen : (locales[0] ?? '');
  const form = value[locale] ?? EMPTY;
  const set = (part: Partial<TranslationForm>) => onInput({ ...value, [locale]: { ...form, ...part } });
  const problem = (field: string) => problemOf(`translations.${locale}.${field}`);
  const add = (code: string) => {
    if (!code) return;
    onInput({ ...value, [code]: EMPTY });
    setChosen(code);
  };
  const remove = () => {
    const { [locale]: _, ...rest } = value;
    onInput(rest);
  };
  return (
    <>
      <div class="fields">
        {locales.length > 0 && (
          <SelectField
            label={t('seo.language')}
            value={locale}
            options={locales.map((each) => [each, isoName('language', each)] as const)}
            onInput={setChosen}
          />
        )}
        <IsoField type="language" isOptional without={locales} label={t('seo.addLanguage')} value="" onInput={add} />
      </div>
      {locale !== '' && (
        <div lang={locale} key={locale}>
          <TextField
            label={t('seo.nameIn', { language: isoName('language', locale) })}
            placeholder={original.name}
            value={form.name}
            onInput={(name) => set({ name })}
            problem={problem('name')}
          />
          <TextField
            label={t('seo.slugIn', { language: isoName('language', locale) })}
            placeholder={original.slug}
            value={form.slug}
            onInput={(slug) => set({ slug })}
            problem={problem('slug')}
          />
          <RichText
            label={t('seo.contentIn', { language: isoName('language', locale) })}
            value={form.description}
            onInput={(description) => set({ description })}
            lang={locale}
            problem={problem('descriptionHtml') ?? problem('description')}
          />
          <TextField
            label={optional(t('seo.title'))}
            value={form.seo.title}
            onInput={(title) => set({ seo: { ...form.seo, title } })}
            problem={problem('seo.title')}
          />
          <TextField
            label={optional(t('seo.text'))}
            value={form.seo.description}
            onInput={(description) => set({ seo: { ...form.seo, description } })}
            problem={problem('seo.description')}
          />
          <button type="button" class="link" onClick={remove}>
            {t('seo.removeLanguage', { language: isoName('language', locale) })}
          </button>
        </div>
      )}
    </>
  );
}
