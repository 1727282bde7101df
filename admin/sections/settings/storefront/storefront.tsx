/** The public website of the business: whether it is open, its text and its languages. */
import { ChipsField } from '../../../parts/form/chips.tsx';
import { CheckField, optional } from '../../../parts/form/form.tsx';
import { isoName, languageOf } from '../../../parts/form/iso.ts';
import { MediaField } from '../../../parts/media/picker.tsx';
import { Section } from '../../../parts/page.tsx';
import { href } from '../../../shell/router.ts';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { LocalizedText, StorefrontForm } from './frame.tsx';
import { StorefrontPreview } from './preview.tsx';
import { fromMedia, LEGAL, toMedia, writeValues } from './values.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'tr', 'ar', 'uk', 'ja', 'zh'];

const Page = () => (
  <StorefrontForm tab="">
    {({ record, values }) => (
      <div class="with-theme-preview">
        <div>
          <Section title={t('storefront.general')}>
            <CheckField
              label={t('storefront.enabled')}
              hint={t('storefront.enabledHint')}
              {...record.bind('enabled')}
            />
            {LEGAL.some((name) => !values.legal[name]) && (
              <p class="hint">
                {t('storefront.legalMissing')} <a href={href('/settings/storefront/legal')}>{t('storefront.legal')}</a>
              </p>
            )}
            <LocalizedText record={record} values={values} name="title" label={optional(t('storefront.homeTitle'))} />
            <LocalizedText
              record={record}
              values={values}
              name="description"
              label={optional(t('storefront.description'))}
              isLong
            />
            <MediaField
              label={optional(t('storefront.image'))}
              hint={t('storefront.imageHint')}
              type="IMAGE"
              value={toMedia(values.image, t('storefront.image'))}
              onInput={([chosen]) => record.set('image', chosen ? fromMedia(chosen, 'large') : null)}
              problem={record.problem('configs.storefront.image')}
            />
            <ChipsField
              label={t('storefront.languages')}
              placeholder={t('storefront.searchLanguages')}
              hint={t('storefront.languagesHint')}
              options={LANGUAGES.map((code) => [code, isoName('language', code)] as const)}
              {...record.bind('locales', 'configs.storefront.locales')}
            />
            {values.locales.length === 0 && <SuggestedLanguage choose={(code) => record.set('locales', [code])} />}
          </Section>
        </div>
        <StorefrontPreview settings={writeValues(values)} />
      </div>
    )}
  </StorefrontForm>
);

export default Page;

/** The language of the business's country. Without a choice, the storefront is in English. */
function SuggestedLanguage({ choose }: { choose: (code: string) => void }) {
  const country = business.value?.configs.profile?.address?.country;
  const code = country ? languageOf(country) : 'en';
  if (code === 'en' || !LANGUAGES.includes(code)) return null;
  return (
    <button type="button" class="quiet small" onClick={() => choose(code)}>
      <span aria-hidden="true">+ </span>
      {t('storefront.addLanguage', { name: isoName('language', code) })}
    </button>
  );
}
