import type { ListedRole } from '@souk/client';
import { CheckField } from '../../../parts/form/form.tsx';
import { t } from '../../../text/index.ts';

type Props = {
  roles: ListedRole[];
  chosen: readonly string[];
  onInput: (ids: string[]) => void;
  problem?: string | undefined;
  /** Roles that can't be removed. */
  fixed?: readonly string[];
};

export const RoleChecks = ({ roles, chosen, onInput, problem, fixed = [] }: Props) => (
  <fieldset>
    <legend>{t('settings.roles')}</legend>
    {roles.map(({ id, name, permissions }) => (
      <CheckField
        key={id}
        label={name}
        hint={permissions.map((each) => t(`settings.can_${each as 'ADMIN'}`)).join(', ')}
        value={chosen.includes(id)}
        disabled={fixed.includes(id)}
        onInput={(has) => onInput(has ? [...chosen, id] : chosen.filter((each) => each !== id))}
      />
    ))}
    {problem && (
      <p class="field-error" role="alert">
        {problem}
      </p>
    )}
  </fieldset>
);
