/** The public website of the business, with a live preview. */
import type { Media } from '@souk/client';
import { RichText } from '../../../parts/blocks/rich-text.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { ChipsField } from '../../../parts/form/chips.tsx';
import { ColorField } from '../../../parts/form/color-field.tsx';
import { CheckField, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { isoName } from '../../../parts/form/iso.ts';
import { LocalizedField } from '../../../parts/form/localized.tsx';
import { MediaField } from '../../../parts/media/picker.tsx';
import { Section } from '../../../parts/page.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';
import { Hosts } from './hosts.tsx';
import { LinkList, SocialList } from './links.tsx';
import { StorefrontPreview } from './preview.tsx';
import { FONTS, LEGAL, MODES, readValues, type Values, writeValues } from './values.ts';

type FormProps = { record: FormRecord<Values>; values: Values };

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'tr', 'ar', 'uk', 'ja', 'zh'];

export default function Page() {
  const record = useBusiness<Values>({
    name: 'storefront',
    read: readValues,
    write: (values) => ({ configs: { storefront: writeValues(values) } }),
  });
  return (
    <PartForm path="storefront" record={record} actions={<OpenLink />}>
      {(values) => (
        <>
          <General record={record} values={values} />
          <Design record={record} values={values} />
          <StorefrontPreview settings={writeValues(values)} />
          <Navigation record={record} values={values} />
          <Section title={t('storefront.hosts')}>
            <Hosts
              value={values.hosts}
              onInput={(hosts) => record.set('hosts', hosts)}
              problem={(i) => record.problem(`configs.storefront.hosts[${i}]`)}
              saved={record.base?.hosts ?? []}
            />
          </Section>
          <Legal record={record} values={values} />
        </>
      )}
    </PartForm>
  );
}

const OpenLink = () => (
  <a class="button quiet" href={`/s/${business.value!.slug}`} target="_blank" rel="noreferrer">
    {t('storefront.open')}
  </a>
);

const localeOf = ({ locales }: Values) => locales[0] ?? 'en';

function General({ record, values }: FormProps) {
  return (
    <Section title={t('storefront.title')}>
      <CheckField label={t('storefront.enabled')} hint={t('storefront.enabledHint')} {...record.bind('enabled')} />
      <LocalizedText record={record} values={values} name="title" label={optional(t('storefront.homeTitle'))} />
      <LocalizedText
        record={record}
        values={values}
        name="description"
        label={optional(t('storefront.description'))}
        isLong
      />
      <ChipsField
        label={t('storefront.languages')}
        hint={t('storefront.languagesHint')}
        options={LANGUAGES.map((code) => [code, isoName('language', code)] as const)}
        {...record.bind('locales', 'configs.storefront.locales')}
      />
    </Section>
  );
}

type TextName = 'title' | 'description' | 'announcement' | 'footerText';
type LocalizedTextProps = FormProps & { name: TextName; label: string; isLong?: boolean };

const LocalizedText = ({ record, values, name, label, isLong = false }: LocalizedTextProps) => (
  <LocalizedField
    label={label}
    locale={localeOf(values)}
    value={values[name]}
    onInput={(text) => record.set(name, text)}
    field={({ lang: _, ...field }) => <TextField {...field} multiline={isLong} rows={2} />}
  />
);

function Design({ record, values }: FormProps) {
  const { logo } = values;
  const colors = 'configs.storefront.theme.colors';
  return (
    <Section title={t('storefront.design')}>
      <MediaField
        label={optional(t('storefront.logo'))}
        hint={t('storefront.logoHint')}
        type="IMAGE"
        value={logo ? [{ id: logo.id ?? logo.url, url: logo.url, mimeType: 'image/png' }] : []}
        onInput={([chosen]) => record.set('logo', chosen ? toLogo(chosen) : null)}
        problem={record.problem('configs.storefront.theme.logo')}
      />
      <div class="fields">
        <ColorField label={t('storefront.accent')} {...record.bind('accent', `${colors}.accent`)} />
        <ColorField label={t('storefront.background')} {...record.bind('background', `${colors}.background`)} />
        <ColorField label={t('storefront.text')} {...record.bind('text', `${colors}.text`)} />
      </div>
      <div class="fields">
        <SelectField
          label={t('storefront.fonts')}
          options={FONTS.map((each) => [each, t(`storefront.fonts_${each}`)] as const)}
          {...record.bind('fonts')}
        />
        <SelectField
          label={t('storefront.mode')}
          options={MODES.map((each) => [each, t(`storefront.mode_${each}`)] as const)}
          {...record.bind('mode')}
        />
      </div>
      <LocalizedText
        record={record}
        values={values}
        name="announcement"
        label={optional(t('storefront.announcement'))}
      />
      <TextField
        label={optional(t('storefront.announcementUrl'))}
        {...record.bind('announcementUrl', 'configs.storefront.announcement.url')}
      />
    </Section>
  );
}

const toLogo = ({ id, url, resolutions }: Media) => ({ id, url: resolutions?.small?.url ?? url });

function Navigation({ record, values }: FormProps) {
  const locale = localeOf(values);
  return (
    <Section title={t('storefront.navigation')}>
      <p class="quiet">{t('storefront.navigationText')}</p>
      <LinkList
        items={values.navigation}
        locale={locale}
        onInput={(links) => record.set('navigation', links)}
        problem={(i, field) => record.problem(`configs.storefront.navigation[${i}].${field}`)}
      />
      <h3>{t('storefront.footer')}</h3>
      <LocalizedText
        record={record}
        values={values}
        name="footerText"
        label={optional(t('storefront.footerText'))}
        isLong
      />
      <LinkList
        items={values.footerLinks}
        locale={locale}
        onInput={(links) => record.set('footerLinks', links)}
        problem={(i, field) => record.problem(`configs.storefront.footer.links[${i}].${field}`)}
      />
      <h3>{t('storefront.social')}</h3>
      <SocialList
        items={values.social}
        onInput={(links) => record.set('social', links)}
        problem={(i, field) => record.problem(`configs.storefront.social[${i}].${field}`)}
      />
    </Section>
  );
}

const Legal = ({ record, values }: FormProps) => (
  <Section title={t('storefront.legal')}>
    <p class="quiet">{t('storefront.legalText')}</p>
    {LEGAL.map((name) => (
      <LocalizedField
        key={name}
        label={t(`storefront.legal_${name}`)}
        locale={localeOf(values)}
        value={values.legal[name] ?? ''}
        onInput={(text) => record.set('legal', { ...values.legal, [name]: text })}
        field={(field) => <RichText {...field} problem={record.problem(`configs.storefront.legal.${name}`)} />}
      />
    ))}
  </Section>
);
