import { useRef } from 'preact/hooks';
import { forget } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { CustomerFields } from './customer-fields.tsx';
import { type CustomerValues, customerKey, NEW_CUSTOMER, toInput, toVersion } from './customer-values.ts';

export default function Page() {
  const id = useRef('');
  const record = useRecord<CustomerValues>({
    key: 'new customer',
    initial: NEW_CUSTOMER,
    save: async (_changes, { values }) => {
      const made = await souk.customers.create(toInput(values));
      id.current = made.id;
      return { ...toVersion(made), key: customerKey(made.id) };
    },
    saved() {
      forget('list customers');
      navigate(`/customers/${id.current}`, { replace: true });
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
