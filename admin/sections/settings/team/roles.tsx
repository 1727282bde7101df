import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { isHidden } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { useRoles } from './use-roles.ts';

export default function Page() {
  const link = (
    <a href={href('/settings/roles/new')} class="button">
      {t('settings.newRole')}
    </a>
  );
  return (
    <SettingsPage path="roles" actions={link}>
      {() => <Roles />}
    </SettingsPage>
  );
}

function Roles() {
  const { data, error, reload } = useRoles();
  return (
    <>
      <p class="quiet">{t('settings.rolesText')}</p>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={3} />}
      {data && (
        <table class="plain-table">
          <caption class="visually-hidden">{t('settings.roles')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('settings.name')}</th>
              <th scope="col">{t('settings.permissions')}</th>
            </tr>
          </thead>
          <tbody>
            {data
              .filter(({ id }) => !isHidden(id))
              .map(({ id, name, permissions }) => (
                <tr key={id}>
                  <td>
                    <a href={href(`/settings/roles/${id}`)}>{name}</a>
                  </td>
                  <td class="small">{permissions.map((each) => t(`settings.can_${each as 'ADMIN'}`)).join(', ')}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </>
  );
}
