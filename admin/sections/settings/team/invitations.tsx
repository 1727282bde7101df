import type { Invitation, ListedRole } from '@souk/client';
import { useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { deleteLater, isHidden } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const MAX_RESULTS = 200;

/** The pending invitations. */
export function Invitations({ roles }: { roles: ListedRole[] }) {
  const { data, error, reload } = useLoad(`invitations ${business.value?.id}`, (signal) =>
    souk.invitations.list({ limit: 100 }, { signal }).take(MAX_RESULTS),
  );
  const open = data?.filter(({ id }) => !isHidden(id)) ?? [];
  const revoke = ({ id, email }: Invitation) => {
    const client = souk;
    deleteLater({
      name: t('settings.invitationOf', { email }),
      hides: id,
      reloads: 'invitations',
      run: () => client.invitations.delete(id),
    });
  };
  if (!error && open.length === 0) return null;
  return (
    <Section title={t('settings.invitations')}>
      <Problem error={error} retry={reload} />
      <ul class="entries">
        {open.map((invitation) => (
          <li key={invitation.id}>
            <strong>{invitation.email}</strong>
            {roles
              .filter(({ id }) => invitation.roleIds.includes(id))
              .map(({ id, name }) => (
                <span key={id} class="badge">
                  {name}
                </span>
              ))}
            <span class="small quiet">
              {`${t('settings.expires')} `}
              <DateTime at={invitation.expiresAt} />
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={t('settings.revokeInvitation', { email: invitation.email })}
              onClick={() => revoke(invitation)}
            >
              {t('settings.revoke')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
