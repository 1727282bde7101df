import type { ListedRole, SeenUser } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { business, me, reloadMe, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { RoleChecks } from './role-checks.tsx';

type Props = { member: SeenUser; name: string; previous: string[]; roles: ListedRole[]; close: () => void };

export function MemberDialog({ member, name, previous, roles, close }: Props) {
  const [chosen, setChosen] = useState(previous);
  const isMe = member.id === me.value?.id;
  const { run, isBusy, error } = useAction(async () => {
    try {
      await souk.users.setRole({ userId: member.id, roleIds: chosen, businessId: business.value!.id });
    } finally {
      forget('list members');
    }
    if (isMe) await reloadMe();
    toast(t('parts.saved'));
    close();
  });
  return (
    <Dialog title={t('settings.rolesOf', { name })} close={close}>
      <Problem error={error} />
      {isMe && <p class="quiet">{t('settings.ownRoles')}</p>}
      <Form submit={run} busy={isBusy}>
        <RoleChecks roles={roles} chosen={chosen} onInput={setChosen} fixed={isMe ? previous : []} />
        {previous.length > 0 && chosen.length === 0 && <p class="notice">{t('settings.removesMember', { name })}</p>}
        <DialogActions close={close} />
      </Form>
    </Dialog>
  );
}
