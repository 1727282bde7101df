import Type, { type Static } from 'typebox';
import { Description, Input, Line, Name, Nullable, Slug } from '../../../shared/schemas.ts';
import { Locale } from '../../../shared/text/locales.ts';

const seoFields = {
  title: Type.Optional(
    Line(200, {
      description: 'The title in search results and browser tabs.',
      examples: ['Linen shirt, made in Portugal'],
    }),
  ),
  description: Type.Optional(
    Line(500, { description: 'The text below the title in search results.', examples: ['Airy shirts for warm days.'] }),
  ),
};
/** The text that search engines show instead of the name and the beginning of the description. */
export const Seo = Type.Object(seoFields);
export type Seo = Static<typeof Seo>;
export const SeoInput = Type.Optional(Nullable(Input(seoFields)));

export const RichText = Type.String({
  maxLength: 50_000,
  description: 'HTML. Tags and attributes that are not allowed are removed.',
  examples: ['<p>Woven in <strong>Portugal</strong>.</p>'],
});

const texts = {
  name: Type.Optional(Name('Leinenhemd')),
  slug: Type.Optional(Slug('leinenhemd')),
  seo: Type.Optional(Seo),
};
const textInputs = {
  name: Type.Optional(Name('Leinenhemd')),
  slug: Type.Optional(Slug('leinenhemd')),
  seo: Type.Optional(Input(seoFields)),
};

export const ProductTranslation = Type.Object({
  ...texts,
  description: Type.Optional(Description),
  descriptionHtml: Type.Optional(RichText),
});
export type ProductTranslation = Static<typeof ProductTranslation>;
const ProductTranslationInput = Input({
  ...textInputs,
  description: Type.Optional(Description),
  descriptionHtml: Type.Optional(RichText),
});

export const CategoryTranslation = Type.Object({ ...texts, description: Type.Optional(RichText) });
export type CategoryTranslation = Static<typeof CategoryTranslation>;
const CategoryTranslationInput = Input({ ...textInputs, description: Type.Optional(RichText) });

const byLocale = {
  maxProperties: 50,
  description:
    'Translations by locale. Fields without a translation fall back to the record itself. Replaces all translations.',
  examples: [{ de: { name: 'Leinenhemd', slug: 'leinenhemd' } }],
};
export const ProductTranslations = Type.Record(Locale, ProductTranslation, byLocale);
export const ProductTranslationsInput = Type.Optional(Nullable(Type.Record(Locale, ProductTranslationInput, byLocale)));
export const CategoryTranslations = Type.Record(Locale, CategoryTranslation, byLocale);
export const CategoryTranslationsInput = Type.Optional(
  Nullable(Type.Record(Locale, CategoryTranslationInput, byLocale)),
);

export const LocaleQuery = Type.Object({
  locale: Type.Optional(
    Type.String({
      ...Locale,
      description: 'Returns text in this language, or in the default language if there is no translation.',
      examples: ['de'],
    }),
  ),
});

export const DefaultSlug = Type.Optional(
  Type.String({
    ...Slug('linen-shirt'),
    description: 'The slug in the default language. Only returned if the request has `locale`.',
  }),
);
