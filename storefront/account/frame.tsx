/** The frame of all account pages, with their navigation. */
import type { ComponentChildren } from 'preact';
import { FormFields } from '../forms.tsx';
import type { Loaded, Site, Visit } from '../page.ts';
import { link } from '../site.ts';

const PAGES = ['', 'addresses', 'newsletters', 'security', 'data'] as const;
type AccountPage = (typeof PAGES)[number];

type FrameProps = { site: Site; current: AccountPage; csrf: string; title: string; children: ComponentChildren };

export function AccountFrame({ site, current, csrf, title, children }: FrameProps) {
  const { account: words } = site.texts;
  const names: Record<AccountPage, string> = {
    '': words.orders,
    addresses: words.addresses,
    newsletters: words.newsletters,
    security: words.security,
    data: words.data,
  };
  return (
    <main id="main" class="account">
      <nav aria-label={words.title}>
        <ul>
          {PAGES.map((name) => (
            <li key={name}>
              <a
                href={link(site, `/account${name && `/${name}`}`)}
                aria-current={name === current ? 'page' : undefined}
              >
                {names[name]}
              </a>
            </li>
          ))}
        </ul>
        <form action={link(site, '/login')} method="post">
          <FormFields csrf={csrf} action="logout" />
          <button type="submit" class="quiet">
            {words.logOut}
          </button>
        </form>
      </nav>
      <div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

export const isLoggedIn = ({ session }: Visit) => session?.accessToken !== undefined && !session.isGuest;

/** Visitors without an account log in first. */
export const toLogin = <D,>(): Loaded<D> => ({ redirect: '/login', status: 303 });
