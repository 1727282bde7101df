import type { ComponentChildren } from 'preact';
import { PageFrame } from '../../parts/page.tsx';
import { SubNavigation } from '../../parts/sub-navigation.tsx';
import { href } from '../../shell/router.ts';
import { type TextKey, t } from '../../text/index.ts';

const PAGES: [path: string, text: TextKey][] = [
  ['', 'account.profile'],
  ['security', 'account.security'],
  ['keys', 'account.keys'],
  ['activity', 'account.activity'],
  ['data', 'account.data'],
];

/** A page of the account, with links to the others. */
export const AccountPage = ({ path, children }: { path: string; children: ComponentChildren }) => (
  <PageFrame title={t(PAGES.find(([each]) => each === path)![1])}>
    <div class="with-sub-navigation">
      <SubNavigation
        label={t('account.title')}
        links={PAGES.map(([to, text]) => [href(to ? `/account/${to}` : '/account'), t(text), to === path])}
      />
      <div>{children}</div>
    </div>
  </PageFrame>
);
