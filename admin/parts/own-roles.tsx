/** The user's businesses and roles, which they can leave, and roles that they have not accepted. */
import type { User } from '@souk/client';
import { useState } from 'preact/hooks';
import { business, businesses, me, reloadMe, souk } from '../shell/session.ts';
import { t } from '../text/index.ts';
import { Confirm } from './dialog.tsx';
import { useAction, useLoad } from './load.ts';
import { Section } from './page.tsx';
import { Problem } from './problem.tsx';
import { toast } from './toast.tsx';

type Membership = { businessId: string; name: string; roles: string };

const namesOf = (roles: readonly { businessId: string; name: string }[], id: string): string =>
  roles
    .filter(({ businessId }) => businessId === id)
    .map(({ name }) => name)
    .join(', ');

export function OwnRoles() {
  const [left, setLeft] = useState<Membership | null>(null);
  const leave = useAction(async ({ businessId, name }: Membership) => {
    await souk.forBusiness(businessId).roles.leaveBusiness();
    toast(t('account.left', { name }));
    if (business.peek()?.id === businessId) return location.assign('/admin');
    await reloadMe();
  });
  const memberships = businesses.value.map(({ id, name }) => ({
    businessId: id,
    name,
    roles: namesOf(me.value?.roles ?? [], id),
  }));
  return (
    <>
      <PendingRoles />
      <Section title={t('account.roles')}>
        <Problem error={leave.error} />
        <dl class="facts">
          {memberships.map((each) => (
            <div key={each.businessId}>
              <dt>{each.name}</dt>
              <dd>
                {`${each.roles} `}
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('account.leaveName', { name: each.name })}
                  onClick={() => setLeft(each)}
                >
                  {t('account.leave')}
                </button>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      {left && (
        <Confirm
          title={t('account.leaveName', { name: left.name })}
          text={t('account.leaveText')}
          action={t('account.leave')}
          run={() => leave.run(left)}
          close={() => setLeft(null)}
        />
      )}
    </>
  );
}

/** Roles that an ADMIN assigned. Shows nothing if there are none. */
export function PendingRoles() {
  const { pendingRoleIds = [], roles = [] } = me.value ?? {};
  const pending = roles.filter(({ id }) => pendingRoleIds.includes(id));
  return pending.length === 0 ? null : <PendingList roles={pending} />;
}

function PendingList({ roles }: { roles: User['roles'] }) {
  const ids = [...new Set(roles.map(({ businessId }) => businessId))];
  const { data = [] } = useLoad(`pending-roles ${ids}`, (signal) =>
    Promise.all(ids.map((id) => souk.businesses.get(id, { signal }))),
  );
  const accept = useAction(async ({ businessId, name }: Membership) => {
    await souk.forBusiness(businessId).roles.accept();
    toast(t('account.accepted', { name }));
    await reloadMe();
    if (!business.peek()) location.assign('/admin');
  });
  const decline = useAction(async ({ businessId, name }: Membership) => {
    await souk.forBusiness(businessId).roles.leaveBusiness();
    toast(t('account.declined', { name }));
    await reloadMe();
  });
  return (
    <Section title={t('account.pendingRoles')}>
      <p class="quiet">{t('account.pendingRolesText')}</p>
      <Problem error={accept.error ?? decline.error} />
      <dl class="facts">
        {data.map(({ id: businessId, name }) => {
          const membership = { businessId, name, roles: namesOf(roles, businessId) };
          return (
            <div key={businessId}>
              <dt>{name}</dt>
              <dd>
                {`${membership.roles} `}
                <button
                  type="button"
                  aria-label={t('account.acceptName', { name })}
                  disabled={accept.isBusy}
                  onClick={() => accept.run(membership)}
                >
                  {t('account.accept')}
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('account.declineName', { name })}
                  disabled={decline.isBusy}
                  onClick={() => decline.run(membership)}
                >
                  {t('account.decline')}
                </button>
              </dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}
