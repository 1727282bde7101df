import { optional } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { LocalizedText, localeOf, StorefrontForm } from './frame.tsx';
import { LinkList, SocialList } from './links.tsx';
import { StorefrontPreview } from './preview.tsx';
import { writeValues } from './values.ts';

const Page = () => (
  <StorefrontForm tab="navigation">
    {({ record, values }) => (
      <div class="with-theme-preview">
        <div>
          <Section title={t('storefront.navigation')}>
            <p class="quiet">{t('storefront.navigationText')}</p>
            <LinkList
              items={values.navigation}
              locale={localeOf(values)}
              onInput={(links) => record.set('navigation', links)}
              problem={(i, field) => record.problem(`configs.storefront.navigation[${i}].${field}`)}
            />
          </Section>
          <Section title={t('storefront.footer')}>
            <LocalizedText
              record={record}
              values={values}
              name="footerText"
              label={optional(t('storefront.footerText'))}
              isLong
            />
            <LinkList
              items={values.footerLinks}
              locale={localeOf(values)}
              onInput={(links) => record.set('footerLinks', links)}
              problem={(i, field) => record.problem(`configs.storefront.footer.links[${i}].${field}`)}
            />
          </Section>
          <Section title={t('storefront.social')}>
            <SocialList
              items={values.social}
              onInput={(links) => record.set('social', links)}
              problem={(i, field) => record.problem(`configs.storefront.social[${i}].${field}`)}
            />
          </Section>
        </div>
        <StorefrontPreview settings={writeValues(values)} />
      </div>
    )}
  </StorefrontForm>
);

export default Page;
