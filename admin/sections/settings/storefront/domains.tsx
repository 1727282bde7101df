import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { StorefrontForm } from './frame.tsx';
import { Hosts } from './hosts.tsx';

const Page = () => (
  <StorefrontForm tab="domains">
    {({ record, values }) => (
      <Section title={t('storefront.hosts')}>
        <Hosts
          value={values.hosts}
          onInput={(hosts) => record.set('hosts', hosts)}
          problem={(i) => record.problem(`configs.storefront.hosts[${i}]`)}
          saved={record.base?.hosts ?? []}
        />
      </Section>
    )}
  </StorefrontForm>
);

export default Page;
