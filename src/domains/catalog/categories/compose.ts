/** Applies changes to a category. Pure. */
import type { Sanitize } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type MediaById, useMedia } from '../../media/index.ts';
import { completeMedia } from '../products/compose-media.ts';
import { cleanRichText } from '../translations/rich-text.ts';
import { checkLocales } from '../translations/translate.ts';
import type { StoredCategory } from './queries.ts';
import type { CategoryChanges } from './schemas.ts';

type Context = { media: MediaById; sanitize: Sanitize; publicUrl: string; errors: FieldError[] };

/** The rich text that is sanitized before the transaction. */
export const richTextsOf = ({ description, translations }: CategoryChanges): string[] =>
  [description, ...Object.values(translations ?? {}).map((each) => each.description)].filter(
    (text) => text !== undefined,
  );

export function composeCategory(current: StoredCategory, changes: CategoryChanges, context: Context): StoredCategory {
  const { errors, sanitize, media, publicUrl } = context;
  const { seo: oldSeo, translations: oldTranslations, ...rest } = current;
  const clean = (text: string, field: string) => cleanRichText(text, field, { sanitize, errors });
  const seo = changes.seo === undefined ? oldSeo : changes.seo;
  const translations = changes.translations === undefined ? oldTranslations : changes.translations;
  if (changes.translations) errors.push(...checkLocales(changes.translations));
  const isEmpty = (value: object | null | undefined) => !value || Object.keys(value).length === 0;
  return {
    ...rest,
    name: changes.name ?? current.name,
    slug: changes.slug ?? current.slug,
    description: changes.description === undefined ? current.description : clean(changes.description, 'description'),
    media: changes.media
      ? completeMedia(useMedia(changes.media, media, 'media', errors), publicUrl)
      : changes.media === null
        ? null
        : current.media,
    ...(isEmpty(seo) ? {} : { seo: seo! }),
    ...(isEmpty(translations)
      ? {}
      : {
          translations: Object.fromEntries(
            Object.entries(translations!).map(([locale, { description, ...texts }]) => [
              locale,
              description === undefined
                ? texts
                : { ...texts, description: clean(description, `translations.${locale}.description`) },
            ]),
          ),
        }),
  };
}
