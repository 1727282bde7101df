import { useRecord } from '../../../parts/editing/use-record.ts';
import { forget } from '../../../parts/load.ts';
import { navigate } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { RoleForm, type RoleValues, roleKey } from './role-form.tsx';

export default function Page() {
  const record = useRecord<RoleValues>({
    key: 'new role',
    initial: { name: '', permissions: [] },
    save: async (_changes, { values }) => {
      const { id } = await souk.roles.create(values);
      return { values, key: roleKey(id) };
    },
    saved() {
      forget('roles');
      navigate('/settings/roles', { replace: true });
    },
  });
  return (
    <SettingsPage path="roles" title={t('settings.newRole')}>
      {() => <RoleForm record={record} />}
    </SettingsPage>
  );
}
