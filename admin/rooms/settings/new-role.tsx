import { forget } from '../../parts/load.ts';
import { useRecord } from '../../parts/record.tsx';
import { navigate } from '../../shell/router.ts';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { SettingsPage } from './frame.tsx';
import { RoleForm, type RoleValues } from './role-form.tsx';

export default function Page() {
  const record = useRecord<RoleValues>({
    key: `new role ${business.value?.id}`,
    initial: { name: '', permissions: [] },
    save: async (_changes, { values }) => {
      await souk.roles.create(values);
      forget('roles');
      navigate('/settings/roles');
      return { values };
    },
  });
  return (
    <SettingsPage path="roles" title={t('settings.newRole')}>
      {() => <RoleForm record={record} />}
    </SettingsPage>
  );
}
