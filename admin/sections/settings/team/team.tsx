/** The members of the business with their roles, and pending invitations. */
import type { ListedRole, SeenUser } from '@souk/client';
import { useState } from 'preact/hooks';
import { DataList } from '../../../parts/list/data-list.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { business, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { useRoles } from './use-roles.ts';

/** Includes customers and subscribers, to make one of them a member. */
const EVERYONE = 'everyone';

export default function Page() {
  const [isInviting, setInviting] = useState(false);
  const { data: roles, error, reload } = useRoles();
  const invite = (
    <button type="button" onClick={() => setInviting(true)}>
      {t('settings.invite')}
    </button>
  );
  return (
    <SettingsPage path="team" actions={invite}>
      {() => (
        <>
          <Problem error={error} retry={reload} />
          <Invitations roles={roles ?? []} />
          {roles && <Members roles={roles} />}
          {isInviting && roles && <InviteDialog roles={roles} close={() => setInviting(false)} />}
        </>
      )}
    </SettingsPage>
  );
}

const rolesHere = ({ roles }: SeenUser) => roles.filter(({ businessId }) => businessId === business.value?.id);
const nameOf = ({ name, email, id }: SeenUser) => name || email || id;

function Members({ roles }: { roles: ListedRole[] }) {
  const [member, setMember] = useState<SeenUser | null>(null);
  return (
    <>
      <DataList
        name="members"
        label={t('settings.members')}
        search={t('settings.searchMembers')}
        filters={[
          {
            name: 'role',
            label: t('settings.role'),
            options: [...roles.map(({ id, name }) => [id, name] as const), [EVERYONE, t('settings.everyone')]],
          },
        ]}
        load={({ q, role }, cursor, signal) => {
          const roleIds = role === EVERYONE ? [] : role ? [role] : roles.map(({ id }) => id);
          const query = { limit: 50, ...(q ? { query: q } : {}), ...(roleIds.length ? { roleIds } : {}) };
          return souk.users.search(query, { signal }).page(cursor);
        }}
        rowName={nameOf}
        columns={[
          {
            head: t('settings.name'),
            cell: (user) => (
              <>
                {nameOf(user)}
                {user.id === me.value?.id && ` (${t('settings.you')})`}
                {user.name && <small>{user.email}</small>}
              </>
            ),
          },
          {
            head: t('settings.roles'),
            cell: (user) =>
              rolesHere(user)
                .map(({ name }) => name)
                .join(', ') || t('parts.none'),
            isWide: true,
          },
          {
            head: t('parts.edit'),
            cell: (user) => (
              <button
                type="button"
                class="quiet"
                aria-label={t('settings.rolesOf', { name: nameOf(user) })}
                onClick={() => setMember(user)}
              >
                {t('settings.roles')}
              </button>
            ),
          },
        ]}
        empty={<EmptyState title={t('settings.noMembers')} text={t('settings.noMembersText')} />}
      />
      {member && (
        <MemberDialog
          member={member}
          name={nameOf(member)}
          previous={rolesHere(member).map(({ id }) => id)}
          roles={roles}
          close={() => setMember(null)}
        />
      )}
    </>
  );
}
