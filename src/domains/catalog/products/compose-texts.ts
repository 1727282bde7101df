/** The text fields of a product: rich description, search results, other languages, manufacturer and safety. Pure. */
import type { Sanitize } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import { firstCharacters } from '../../../shared/text/text.ts';
import { cleanRichText } from '../translations/rich-text.ts';
import type { ProductTranslation } from '../translations/schemas.ts';
import { checkLocales } from '../translations/translate.ts';
import type { Product, ProductChanges } from './schemas.ts';

const MAX_DESCRIPTION = 20_000;

type Texts = Pick<Product, 'description' | 'descriptionHtml' | 'seo' | 'translations' | 'manufacturer' | 'safety'>;
type Context = { sanitize: Sanitize; errors: FieldError[] };

/** The rich text that is sanitized before the transaction. */
export const richTextsOf = ({
  descriptionHtml,
  translations,
}: Pick<ProductChanges, 'descriptionHtml' | 'translations'>) =>
  [descriptionHtml, ...Object.values(translations ?? {}).map((each) => each.descriptionHtml)].filter(
    (text) => typeof text === 'string',
  );

export function composeTexts(current: Product | null, changes: ProductChanges, context: Context): Texts {
  if (changes.translations) context.errors.push(...checkLocales(changes.translations));
  const html = describe(changes, '', context);
  return {
    description: html.description ?? current?.description ?? '',
    ...kept('descriptionHtml', html.descriptionHtml, current?.descriptionHtml),
    ...kept('seo', changes.seo, current?.seo),
    ...kept('translations', translationsOf(changes, context), current?.translations),
    ...kept('manufacturer', changes.manufacturer, current?.manufacturer),
    ...kept('safety', changes.safety, current?.safety),
  };
}

/** An omitted value is kept. Null, an empty string and an empty object remove it. */
function kept<N extends keyof Texts>(name: N, sent: Texts[N] | null | undefined, known: Texts[N] | undefined) {
  const value = sent === undefined ? known : sent;
  const isEmpty = !value || (typeof value === 'object' && Object.keys(value).length === 0);
  return (isEmpty ? {} : { [name]: value }) as Partial<Pick<Texts, N>>;
}

type Description = Pick<ProductTranslation, 'description'> & { descriptionHtml?: string | null };

/** A description that is sent only as HTML is also kept as text, for search, feeds and clients that show text. */
function describe({ description, descriptionHtml }: Description, at: string, context: Context): Description {
  if (typeof descriptionHtml !== 'string')
    return {
      ...(description === undefined ? {} : { description }),
      ...(descriptionHtml === null ? { descriptionHtml } : {}),
    };
  const clean = cleanRichText(descriptionHtml, `${at}descriptionHtml`, context);
  return { description: description ?? firstCharacters(plainText(clean), MAX_DESCRIPTION), descriptionHtml: clean };
}

function translationsOf({ translations }: ProductChanges, context: Context): Product['translations'] | null {
  if (!translations) return translations;
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { description, descriptionHtml, ...texts }]) => {
      const html = {
        ...(description === undefined ? {} : { description }),
        ...(descriptionHtml ? { descriptionHtml } : {}),
      };
      return [locale, { ...texts, ...(describe(html, `translations.${locale}.`, context) as ProductTranslation) }];
    }),
  );
}
