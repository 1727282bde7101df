import type { Address, User } from '@souk/client';
import { AddressFields, filledAddress } from '../../parts/address.tsx';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { TagsField, TextField } from '../../parts/form.tsx';
import { ListEditor } from '../../parts/list-editor.tsx';
import { Section } from '../../parts/page.tsx';
import { RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { businesses, me, reloadMe, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { AccountPage } from './frame.tsx';

type Values = { name: string; phoneNumbers: string[]; addresses: Address[] };

const toVersion = (user: User & { etag?: string }) => {
  const { name, phoneNumbers, addresses, etag } = user;
  return { values: { name, phoneNumbers, addresses }, etag };
};

export default function Page() {
  const record = useRecord<Values>({
    key: `account ${me.value?.id}`,
    load: async (signal) => toVersion(await souk.users.me({ signal })),
    save: async ({ addresses, ...changes }, { ifMatch }) => {
      const body = { ...changes, ...(addresses ? { addresses: addresses.map(filledAddress) } : {}) };
      const saved = await souk.users.update(body, ifMatch ? { ifMatch } : {});
      await reloadMe();
      return toVersion(saved);
    },
  });
  const names = {
    name: t('account.name'),
    phoneNumbers: t('account.phoneNumbers'),
    addresses: t('account.addresses'),
  };
  return (
    <AccountPage path="">
      <RecordNotices record={record} names={names} />
      {!record.values && !record.error && <SkeletonRows count={4} />}
      {record.values && (
        <>
          <Section title={t('account.profile')}>
            <p>{t('account.loggedInAs', { email: me.value?.email ?? '' })}</p>
            <TextField label={names.name} autocomplete="name" {...record.bind('name')} />
            <TagsField
              label={names.phoneNumbers}
              hint={t('account.phoneHint')}
              {...record.bind('phoneNumbers')}
              problem={record.problem('phoneNumbers') ?? record.problem('phoneNumbers[0]')}
            />
          </Section>
          <Section title={names.addresses}>
            <ListEditor
              items={record.values.addresses}
              onInput={(next) => record.set('addresses', next)}
              name={(_, i) => t('account.address', { number: i + 1 })}
              add={{ label: t('account.addAddress'), make: (): Address => ({}) }}
            >
              {(address, set) => <AddressFields value={address} onInput={set} />}
            </ListEditor>
          </Section>
          <Roles />
          <SaveBar record={record} />
        </>
      )}
    </AccountPage>
  );
}

/** Where they work, and as what. */
const Roles = () => (
  <Section title={t('account.roles')}>
    <dl class="facts">
      {businesses.value.map(({ id, name }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>
            {me.value?.roles
              .filter(({ businessId }) => businessId === id)
              .map((role) => role.name)
              .join(', ')}
          </dd>
        </div>
      ))}
    </dl>
  </Section>
);
