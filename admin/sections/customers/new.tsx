import { useRef } from 'preact/hooks';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import { forget } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
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
      const created = await souk.customers.create(toInput(values));
      id.current = created.id;
      return { ...toVersion(created), key: customerKey(created.id) };
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
