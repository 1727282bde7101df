import { RichText } from '../../../parts/blocks/rich-text.tsx';
import { LocalizedField } from '../../../parts/form/localized.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { localeOf, StorefrontForm } from './frame.tsx';
import { LEGAL } from './values.ts';

const Page = () => (
  <StorefrontForm tab="legal">
    {({ record, values }) => (
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
    )}
  </StorefrontForm>
);

export default Page;
