import type { ListedRole } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { RoleChecks } from './role-checks.tsx';

export function InviteDialog({ roles, close }: { roles: ListedRole[]; close: () => void }) {
  const [email, setEmail] = useState('');
  const [roleIds, setRoleIds] = useState<string[]>([]);
  const { run, isBusy, error } = useAction(async () => {
    await souk.invitations.create({ email: email.trim(), roleIds });
    forget('invitations');
    toast(t('settings.invited', { email: email.trim() }));
    close();
  });
  return (
    <Dialog title={t('settings.invite')} close={close}>
      <p>{t('settings.inviteText')}</p>
      <Problem error={error} fields />
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('shell.email')}
          type="email"
          value={email}
          onInput={setEmail}
          problem={problemOf(error, 'email')}
        />
        <RoleChecks roles={roles} chosen={roleIds} onInput={setRoleIds} problem={problemOf(error, 'roleIds')} />
        <DialogActions close={close} label={t('settings.sendInvitation')} />
      </Form>
    </Dialog>
  );
}
