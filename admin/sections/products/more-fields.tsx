/** Fields of a product beyond price and stock: categories, search results, languages, manufacturer, safety. */
import { isSoukError } from '@souk/client';
import { CollapsibleSection, SeoFields, toSeo } from '../../parts/editing/seo-fields.tsx';
import { TranslationFields } from '../../parts/editing/translation-fields.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { optional, TextField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { href } from '../../shell/router.ts';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import type { ContactForm, ProductForm } from './form.ts';

type Props = { record: FormRecord<ProductForm> };

/** The category tree as checkboxes. */
export function CategoriesField({ record }: Props) {
  const { value, onInput, problem } = record.bind('categoryIds');
  const { data } = useLoad(`categories ${business.value?.id}`, (signal) =>
    souk.categories.listTree({ limit: 100 }, { signal }).take(1000),
  );
  const label = record.bind('category');
  const slugOf = (ids: string[]) => data?.find(({ id }) => id === ids[0])?.slug ?? '';
  const toggle = (id: string) => {
    const next = value.includes(id) ? value.filter((each) => each !== id) : [...value, id];
    onInput(next);
    // The product's `category` in the API follows the first category, unless it was edited by hand.
    if (label.value === slugOf(value)) label.onInput(slugOf(next));
  };
  return (
    <fieldset class="field">
      <legend>{t('categories.title')}</legend>
      {data?.length === 0 && (
        <p class="hint">
          {t('categories.noneYet')} <a href={href('/products/categories')}>{t('categories.manage')}</a>
        </p>
      )}
      {data && data.length > 0 && (
        <ul class="category-choices">
          {data.map(({ id, name, ancestors }) => (
            <li key={id} style={{ '--level': ancestors.length }}>
              <label>
                <input type="checkbox" checked={value.includes(id)} onChange={() => toggle(id)} /> {name}
              </label>
            </li>
          ))}
        </ul>
      )}
      {problem && <p class="field-error">{problem}</p>}
    </fieldset>
  );
}

const plain = (html: string) =>
  html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

export function MoreFields({ record }: Props) {
  const values = record.values!;
  const problemOf = (field: string) => record.problem(field);
  const wrong = isSoukError(record.error) ? record.error.details.map(({ field }) => field) : [];
  const hasProblem = (name: string) => wrong.some((field) => field.startsWith(name));
  return (
    <>
      <CollapsibleSection
        title={t('seo.section')}
        hint={t('seo.hint')}
        isFilled={toSeo(values.seo) !== null}
        hasProblem={hasProblem('seo')}
      >
        {() => (
          <SeoFields
            {...record.bind('seo')}
            name={values.name}
            text={plain(values.descriptionHtml) || values.description}
            path={['products', values.slug]}
            problemOf={problemOf}
          />
        )}
      </CollapsibleSection>
      <CollapsibleSection
        title={t('seo.translations')}
        hint={t('seo.translationsHint')}
        isFilled={Object.keys(values.translations).length > 0}
        hasProblem={hasProblem('translations')}
      >
        {() => <TranslationFields {...record.bind('translations')} original={values} problemOf={problemOf} />}
      </CollapsibleSection>
      <CollapsibleSection
        title={t('safety.section')}
        hint={t('safety.hint')}
        isFilled={values.manufacturer.name !== ''}
        hasProblem={hasProblem('manufacturer') || hasProblem('safety')}
      >
        {() => <SafetyFields record={record} />}
      </CollapsibleSection>
    </>
  );
}

function SafetyFields({ record }: Props) {
  const safety = record.bind('safety');
  return (
    <>
      <h3>{t('safety.manufacturer')}</h3>
      <Contact {...record.bind('manufacturer')} at="manufacturer" problemOf={(field) => record.problem(field)} />
      <h3>{t('safety.responsible')}</h3>
      <p class="hint">{t('safety.responsibleHint')}</p>
      <Contact
        value={safety.value.responsible}
        onInput={(responsible) => safety.onInput({ ...safety.value, responsible })}
        at="safety.responsiblePerson"
        problemOf={(field) => record.problem(field)}
      />
      <TextField
        label={optional(t('safety.warnings'))}
        hint={t('safety.warningsHint')}
        multiline
        rows={3}
        value={safety.value.warnings}
        onInput={(warnings) => safety.onInput({ ...safety.value, warnings })}
        problem={record.problem('safety.warnings')}
      />
    </>
  );
}

type ContactProps = {
  value: ContactForm;
  onInput: (value: ContactForm) => void;
  at: string;
  problemOf: (field: string) => string | undefined;
};

function Contact({ value, onInput, at, problemOf }: ContactProps) {
  const bind = (name: keyof ContactForm) => ({
    value: value[name],
    onInput: (text: string) => onInput({ ...value, [name]: text }),
    problem: problemOf(`${at}.${name}`),
  });
  return (
    <div class="fields">
      <TextField label={t('safety.company')} {...bind('name')} />
      <TextField label={t('safety.address')} {...bind('address')} />
      <TextField label={t('safety.email')} type="email" {...bind('email')} />
      <TextField label={optional(t('safety.url'))} type="url" {...bind('url')} />
    </div>
  );
}
