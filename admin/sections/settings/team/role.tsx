import type { Role } from '@souk/client';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { forget } from '../../../parts/load.ts';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { deleteLater } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { type Permission, reloadMe, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { RoleForm, type RoleValues, roleKey } from './role-form.tsx';

const toVersion = ({ name, permissions, etag }: Role & { etag: string }) => ({
  values: { name, permissions: permissions as Permission[] },
  etag,
});

export default function Page({ id }: { id: string }) {
  const record = useRecord<RoleValues>({
    key: roleKey(id),
    load: async (signal) => toVersion(await souk.roles.get(id, { signal })),
    save: async (changes, { ifMatch }) => {
      const saved = await souk.roles.update(id, changes, ifMatch ? { ifMatch } : {});
      forget('roles');
      await reloadMe();
      return toVersion(saved);
    },
  });
  const name = record.base?.name ?? t('settings.role');
  const remove = () => {
    const [client, { etag }] = [souk, record];
    deleteLater({
      name,
      hides: id,
      reloads: 'roles',
      run: () => client.roles.delete(id, etag ? { ifMatch: etag } : {}),
    });
    navigate('/settings/roles');
  };
  return (
    <SettingsPage
      path="roles"
      title={name}
      actions={
        <button type="button" class="quiet" onClick={remove}>
          {t('parts.delete')}
        </button>
      }
    >
      {() => (record.values || record.error ? <RoleForm record={record} /> : <SkeletonRows count={4} />)}
    </SettingsPage>
  );
}
