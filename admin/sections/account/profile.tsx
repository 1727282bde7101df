import type { PartialAddress, User } from '@souk/client';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import { AddressFields, filledAddress } from '../../parts/form/address.tsx';
import { TagsField, TextField } from '../../parts/form/form.tsx';
import { ListEditor } from '../../parts/form/list-editor.tsx';
import { OwnRoles } from '../../parts/own-roles.tsx';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { me, reloadMe, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { AccountPage } from './frame.tsx';

type Values = { name: string; phoneNumbers: string[]; addresses: PartialAddress[] };

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
              add={{ label: t('account.addAddress'), make: (): PartialAddress => ({}) }}
            >
              {(address, set) => <AddressFields value={address} onInput={set} />}
            </ListEditor>
          </Section>
          <OwnRoles />
          <SaveBar record={record} />
        </>
      )}
    </AccountPage>
  );
}
