/**
 * A settings page with links to the others. Pages for ADMINs are hidden from other members, who see the missing permission at their URL.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { PageFrame } from '../../parts/page.tsx';
import { href } from '../../shell/router.ts';
import { business, can } from '../../shell/session.ts';
import { type TextKey, t } from '../../text/index.ts';

type SettingsLink = { path: string; text: TextKey; isForAdmins?: boolean };

const GROUPS: { title: TextKey; pages: SettingsLink[] }[] = [
  {
    title: 'settings.groupStore',
    pages: [
      { path: '', text: 'settings.business' },
      { path: 'storefront', text: 'storefront.title' },
      { path: 'redirects', text: 'redirects.title' },
      { path: 'email', text: 'settings.email' },
      { path: 'sender', text: 'sender.title' },
      { path: 'delivery', text: 'delivery.title' },
    ],
  },
  {
    title: 'settings.groupSelling',
    pages: [
      { path: 'markets', text: 'settings.markets' },
      { path: 'shipping', text: 'settings.shipping' },
      { path: 'taxes', text: 'taxes.title' },
      { path: 'payment', text: 'settings.payment' },
      { path: 'invoices', text: 'invoices.title' },
      { path: 'returns', text: 'returns.settings' },
      { path: 'order-fields', text: 'settings.orderFields' },
    ],
  },
  {
    title: 'settings.groupTeam',
    pages: [
      { path: 'team', text: 'settings.team', isForAdmins: true },
      { path: 'roles', text: 'settings.roles', isForAdmins: true },
      { path: 'security', text: 'security.title', isForAdmins: true },
      { path: 'sso', text: 'sso.title', isForAdmins: true },
      { path: 'audit', text: 'settings.audit', isForAdmins: true },
    ],
  },
  {
    title: 'settings.groupDevelopers',
    pages: [
      { path: 'api-keys', text: 'settings.apiKeys' },
      { path: 'webhooks', text: 'settings.webhooks', isForAdmins: true },
      { path: 'imports', text: 'settings.imports' },
      { path: 'erasures', text: 'privacy.erasures', isForAdmins: true },
    ],
  },
];
const PAGES = GROUPS.flatMap(({ pages }) => pages);

type Props = {
  /** The page, or the parent of a nested page. */
  path: string;
  /** The title of a nested page. */
  title?: string;
  actions?: ComponentChildren;
  aside?: ComponentChildren;
  children: () => ComponentChildren;
};

export function SettingsPage({ path, title, actions, aside, children }: Props) {
  const page = PAGES.find((each) => each.path === path)!;
  const [isOpen, setOpen] = useState(false);
  if (page.isForAdmins && !can('ADMIN')) return <OnlyAdmins />;
  return (
    <PageFrame
      title={title ?? t(page.text)}
      {...(title === undefined ? {} : { back: `/settings/${path}` })}
      actions={actions}
      aside={aside}
    >
      <div class={`with-sub-navigation ${title === undefined ? '' : 'is-below'}`}>
        <nav class={`sub-navigation is-grouped ${isOpen ? 'is-open' : ''}`} aria-label={t('settings.title')}>
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('settings.all')} <span aria-hidden="true">▾</span>
          </button>
          <div>
            {GROUPS.map((group) => (
              <LinkGroup key={group.title} {...group} path={path} />
            ))}
          </div>
        </nav>
        <div>{children()}</div>
      </div>
    </PageFrame>
  );
}

/** Hidden if it has no page for this member. */
function LinkGroup({ title, pages, path }: (typeof GROUPS)[number] & { path: string }) {
  const shown = pages.filter(({ isForAdmins }) => !isForAdmins || can('ADMIN'));
  if (shown.length === 0) return null;
  return (
    <>
      <h2>{t(title)}</h2>
      <ul>
        {shown.map(({ path: to, text }) => (
          <li key={to}>
            <a href={href(to ? `/settings/${to}` : '/settings')} aria-current={to === path ? 'page' : undefined}>
              {t(text)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const OnlyAdmins = () => (
  <PageFrame title={t('shell.forbidden')}>
    <p>{t('shell.forbiddenText', { business: business.value?.name ?? '', permission: t('settings.can_ADMIN') })}</p>
    <a href={href('/settings')}>{t('settings.title')}</a>
  </PageFrame>
);
