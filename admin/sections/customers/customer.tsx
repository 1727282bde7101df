/** A customer with their orders and subscriptions. */

import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { type FormRecord, useRecord } from '../../parts/editing/use-record.ts';
import { forget } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { PersonalData } from '../../parts/personal-data.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { DateOnly } from '../../parts/show.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { CustomerFields, fieldNames } from './customer-fields.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { CustomerReturns } from './customer-returns.tsx';
import { CustomerSubscriptions } from './customer-subscriptions.tsx';
import { type CustomerValues, customerKey, loadCustomer, toInput, toVersion } from './customer-values.ts';
import { SupportAccess } from './support-access.tsx';

export default function Page({ id }: { id: string }) {
  const record = useRecord<CustomerValues>({
    key: customerKey(id),
    load: (signal) => loadCustomer(id, signal),
    save: async (changes, { ifMatch }) => {
      const saved = await souk.customers.update(id, toInput(changes), ifMatch ? { ifMatch } : {});
      forget('list customers');
      return toVersion(saved);
    },
  });
  const { values, base } = record;
  const title = base ? base.name || base.email || base.phone || t('orders.guest') : t('customers.one');
  const canWrite = can('CUSTOMER_WRITE');
  return (
    <PageFrame
      title={title}
      back="/customers"
      actions={canWrite && base && <DeleteButton id={id} name={title} etag={record.etag} />}
    >
      <RecordNotices record={record} names={fieldNames()} />
      {!values && !record.error && <SkeletonRows />}
      {values && (
        <div class="columns">
          <div>
            <fieldset disabled={!canWrite}>
              <CustomerFields record={record} />
            </fieldset>
          </div>
          <Sidebar id={id} record={record} />
        </div>
      )}
      {values && canWrite && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Sidebar({ id, record }: { id: string; record: FormRecord<CustomerValues> }) {
  const { userId, hasAccount, email, name, createdAt } = record.base!;
  return (
    <div>
      <Section title={t('customers.about')}>
        <dl class="facts">
          <div>
            <dt>{t('customers.since')}</dt>
            <dd>
              <DateOnly at={createdAt} />
            </dd>
          </div>
          <div>
            <dt>{t('customers.account')}</dt>
            <dd>{t(hasAccount ? 'customers.hasAccount' : userId ? 'orders.guest' : 'customers.noAccount')}</dd>
          </div>
        </dl>
      </Section>
      {can('ORDER_READ') && <CustomerOrders id={id} />}
      {can('ORDER_READ') && <CustomerReturns id={id} />}
      {can('SUBSCRIBER_READ') && email && <CustomerSubscriptions email={email} />}
      {can('ADMIN') && userId && <SupportAccess id={id} name={name || email || id} />}
      {can('ADMIN') && (
        <Section title={t('privacy.title')}>
          <PersonalData
            id={id}
            name={name || email || id}
            erased={() => {
              forget('list ');
              navigate('/customers');
            }}
          />
        </Section>
      )}
    </div>
  );
}

function DeleteButton({ id, name, etag }: { id: string; name: string; etag: string | undefined }) {
  const remove = () => {
    const client = souk;
    deleteLater({
      name,
      hides: id,
      reloads: 'list customers',
      run: () => client.customers.delete(id, etag ? { ifMatch: etag } : {}),
    });
    navigate('/customers');
  };
  return (
    <button type="button" class="quiet" onClick={remove}>
      {t('parts.delete')}
    </button>
  );
}
