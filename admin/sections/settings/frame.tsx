/**
 * A settings page with links to the others. Pages for ADMINs are hidden from other members, who see the missing permission at their URL.
 */
import type { ComponentChildren } from 'preact';
import { PageFrame } from '../../parts/page.tsx';
import { SubNavigation } from '../../parts/sub-navigation.tsx';
import { href } from '../../shell/router.ts';
import { business, can } from '../../shell/session.ts';
import { type TextKey, t } from '../../text/index.ts';

const PAGES: { path: string; text: TextKey; isForAdmins?: boolean }[] = [
  { path: '', text: 'settings.business' },
  { path: 'storefront', text: 'storefront.title' },
  { path: 'markets', text: 'settings.markets' },
  { path: 'shipping', text: 'settings.shipping' },
  { path: 'taxes', text: 'taxes.title' },
  { path: 'invoices', text: 'invoices.title' },
  { path: 'returns', text: 'returns.settings' },
  { path: 'payment', text: 'settings.payment' },
  { path: 'email', text: 'settings.email' },
  { path: 'order-fields', text: 'settings.orderFields' },
  { path: 'team', text: 'settings.team', isForAdmins: true },
  { path: 'roles', text: 'settings.roles', isForAdmins: true },
  { path: 'api-keys', text: 'settings.apiKeys' },
  { path: 'webhooks', text: 'settings.webhooks', isForAdmins: true },
  { path: 'audit', text: 'settings.audit', isForAdmins: true },
  { path: 'erasures', text: 'privacy.erasures', isForAdmins: true },
  { path: 'imports', text: 'settings.imports' },
];

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
  if (page.isForAdmins && !can('ADMIN')) return <OnlyAdmins />;
  const shown = PAGES.filter(({ isForAdmins }) => !isForAdmins || can('ADMIN'));
  return (
    <PageFrame
      title={title ?? t(page.text)}
      {...(title === undefined ? {} : { back: `/settings/${path}` })}
      actions={actions}
      aside={aside}
    >
      <div class={`with-sub-navigation ${title === undefined ? '' : 'is-below'}`}>
        <SubNavigation
          label={t('settings.title')}
          links={shown.map(({ path: to, text }) => [href(to ? `/settings/${to}` : '/settings'), t(text), to === path])}
        />
        <div>{children()}</div>
      </div>
    </PageFrame>
  );
}

const OnlyAdmins = () => (
  <PageFrame title={t('shell.forbidden')}>
    <p>{t('shell.forbiddenText', { business: business.value?.name ?? '', permission: t('settings.can_ADMIN') })}</p>
    <a href={href('/settings')}>{t('settings.title')}</a>
  </PageFrame>
);
