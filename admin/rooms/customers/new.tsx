import { forget } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { navigate } from '../../shell/router.ts';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { CustomerFields } from './customer-fields.tsx';
import { NEW_CUSTOMER, toInput, toVersion } from './customer-values.ts';

export default function Page() {
  const record = useRecord({
    key: `new customer ${business.value?.id}`,
    initial: NEW_CUSTOMER,
    save: async (_changes, { values }) => {
      const made = await souk.customers.create(toInput(values));
      forget('list customers');
      navigate(`/customers/${made.id}`, { replace: true });
      return toVersion(made);
    },
  });
  return (
    <PageFrame title={t('customers.new')} back="/customers" narrow>
      <RecordNotices record={record} />
      <CustomerFields record={record} />
      <SaveBar record={record} />
    </PageFrame>
  );
}
