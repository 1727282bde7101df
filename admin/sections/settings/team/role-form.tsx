import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import type { Permission } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PERMISSIONS } from './permissions.ts';

export type RoleValues = { name: string; permissions: Permission[] };

export const roleKey = (id: string) => `role ${id}`;

export function RoleForm({ record }: { record: FormRecord<RoleValues> }) {
  const names = { name: t('settings.name'), permissions: t('settings.permissions') };
  const { permissions = [] } = record.values ?? {};
  const grant = (permission: Permission, isGranted: boolean) =>
    record.set(
      'permissions',
      PERMISSIONS.filter((each) => (each === permission ? isGranted : permissions.includes(each))),
    );
  const isAll = permissions.includes('ADMIN');
  return (
    <>
      <RecordNotices record={record} names={names} show={(_, value) => [value].flat().join('\n')} />
      {record.values && (
        <>
          <Section title={t('settings.role')}>
            <TextField label={names.name} {...record.bind('name')} maxLength={200} />
            <fieldset>
              <legend>{names.permissions}</legend>
              {PERMISSIONS.map((permission) => (
                <CheckField
                  key={permission}
                  label={t(`settings.can_${permission}`)}
                  value={permissions.includes(permission)}
                  disabled={isAll && permission !== 'ADMIN'}
                  onInput={(isGranted) => grant(permission, isGranted)}
                />
              ))}
            </fieldset>
          </Section>
          <SaveBar record={record} />
        </>
      )}
    </>
  );
}
