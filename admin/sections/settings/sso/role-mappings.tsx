import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { useRoles } from '../team/use-roles.ts';
import type { SsoValues } from './values.ts';

export function RoleMappings({ record }: { record: FormRecord<SsoValues> }) {
  const { data: roles = [] } = useRoles();
  const options = roles.map(({ id, name }) => [id, name] as const);
  return (
    <Section title={t('sso.roles')}>
      <p class="quiet">{t('sso.rolesText')}</p>
      <div class="fields">
        <TextField label={t('sso.roleClaim')} {...record.bind('roleClaim')} />
        <SelectField
          label={t('sso.defaultRole')}
          options={[['', t('sso.noDefault')], ...options]}
          {...record.bind('defaultRoleId')}
        />
      </div>
      <ListEditor
        items={record.values!.roleMappings}
        onInput={(next) => record.set('roleMappings', next)}
        name={(_, i) => t('sso.mapping', { number: i + 1 })}
        add={{ label: t('sso.addMapping'), make: () => ({ value: '', roleId: options[0]?.[0] ?? '' }) }}
      >
        {(mapping, set, i) => (
          <div class="fields">
            <TextField
              label={t('sso.value')}
              value={mapping.value}
              onInput={(value) => set({ ...mapping, value })}
              problem={record.problem(`roleMappings[${i}].value`)}
            />
            <SelectField
              label={t('sso.role')}
              options={options}
              value={mapping.roleId}
              onInput={(roleId) => set({ ...mapping, roleId })}
              problem={record.problem(`roleMappings[${i}].roleId`)}
            />
          </div>
        )}
      </ListEditor>
    </Section>
  );
}
