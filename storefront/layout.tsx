/** The header and footer around every page. */
import type { ComponentChildren } from 'preact';
import { Island } from './island.tsx';
import { CartCount } from './islands/cart-count.tsx';
import { SupportBar } from './islands/support-bar.tsx';
import type { Site, Support } from './page.ts';
import { link, localText, target } from './site.ts';

type LayoutProps = {
  site: Site;
  path: string;
  isPlain: boolean;
  support: Support | null;
  /** The search words whose results the page shows. */
  searched: string;
  children: ComponentChildren;
};

export function Layout({ site, path, isPlain, support, searched, children }: LayoutProps) {
  const { texts } = site;
  return (
    <>
      <a href="#main" class="skip">
        {texts.site.skip}
      </a>
      <SupportNotice support={support} />
      {site.preview && <p class="preview-bar">{texts.site.preview}</p>}
      {site.demo && !site.preview && <StartBar site={site} />}
      <Announcement site={site} />
      <Header site={site} path={path} isPlain={isPlain} searched={searched} />
      {children}
      <Footer site={site} path={path} isPlain={isPlain} />
    </>
  );
}

/** Without the token, which scripts must not see. */
const SupportNotice = ({ support }: { support: Support | null }) => (
  <Island
    name="support-bar"
    of={SupportBar}
    props={{ support: support && { name: support.name, expiresAt: support.expiresAt } }}
  />
);

/** Outside production, the demo shop links to the admin, the mailbox and the API reference. */
const StartBar = ({ site: { texts } }: { site: Site }) => (
  <nav class="start-bar" aria-label="Souk">
    <p>
      <strong>Souk</strong> <span>{texts.demo.notice}</span>
    </p>
    <ul>
      <li>
        <a href="/admin">{texts.demo.admin}</a>
      </li>
      <li>
        <a href="/dev/mailbox">{texts.demo.mailbox}</a>
      </li>
      <li>
        <a href="/reference">{texts.demo.reference}</a>
      </li>
    </ul>
  </nav>
);

function Announcement({ site }: { site: Site }) {
  const { announcement } = site.config;
  const text = announcement && localText(announcement.text, site);
  if (!text) return null;
  return <p class="announcement">{announcement.url ? <a href={target(site, announcement.url)}>{text}</a> : text}</p>;
}

type FrameProps = { site: Site; path: string; isPlain: boolean };

function Header({ site, path, isPlain, searched }: FrameProps & { searched: string }) {
  const { texts } = site;
  return (
    <header class="site">
      <div class="site-row">
        <Brand site={site} />
        {!isPlain && (
          <search>
            <form action={link(site, '/products')} method="get" data-live="search">
              <label for="search" class="visually-hidden">
                {texts.site.search}
              </label>
              <input
                id="search"
                type="search"
                name="q"
                value={searched}
                placeholder={texts.site.search}
                autocomplete="off"
              />
              {site.market.id !== site.defaultMarketId && <input type="hidden" name="market" value={site.market.id} />}
            </form>
          </search>
        )}
        <nav aria-label={texts.site.accountAndCart} class="yours">
          <a href={link(site, '/account')}>{texts.site.account}</a>
          <a href={link(site, '/cart')} class="to-cart">
            {texts.site.cart}
          </a>
          <Island name="cart-count" of={CartCount} props={{}} />
        </nav>
      </div>
      {!isPlain && <Navigation site={site} path={path} />}
    </header>
  );
}

function Brand({ site }: { site: Site }) {
  const logo = site.config.theme?.logo ?? site.business.configs.brand?.logo;
  return (
    <a href={link(site, '/')} class="brand">
      {logo ? <img src={logo.url} alt={site.name} height="40" class="logo" /> : site.name}
    </a>
  );
}

function Navigation({ site, path }: { site: Site; path: string }) {
  const { navigation = [{ label: site.texts.site.allProducts, url: '/products' }] } = site.config;
  return (
    <nav class="categories" aria-label={site.texts.site.main}>
      <ul>
        {navigation.map(({ label, url, items = [] }) => (
          <li key={url}>
            <a href={target(site, url)} aria-current={url === path ? 'page' : undefined}>
              {localText(label, site)}
            </a>
            {items.length > 0 && (
              <ul>
                {items.map((item) => (
                  <li key={item.url}>
                    <a href={target(site, item.url)} aria-current={item.url === path ? 'page' : undefined}>
                      {localText(item.label, site)}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

const LEGAL = ['imprint', 'terms', 'privacy', 'withdrawal', 'shipping'] as const;

function Footer({ site, path, isPlain }: FrameProps) {
  const { footer = {}, legal = {}, social = [] } = site.config;
  const { texts } = site;
  const legalPages = LEGAL.filter((name) => localText(legal[name], site) !== '');
  return (
    <footer class="site-foot">
      {footer.text && <p class="foot-text">{localText(footer.text, site)}</p>}
      <div class="foot-links">
        {!isPlain &&
          footer.links?.map(({ label, url }) => (
            <a key={url} href={target(site, url)}>
              {localText(label, site)}
            </a>
          ))}
        {legalPages.map((name) => (
          <a key={name} href={link(site, `/pages/${name}`)}>
            {texts.legal[name]}
          </a>
        ))}
        {social.map(({ name, url }) => (
          <a key={url} href={url} rel="me noopener">
            {name}
          </a>
        ))}
      </div>
      {!isPlain && <Switches site={site} path={path} />}
    </footer>
  );
}

/** Language and market. Links and a form, so that both work without JavaScript and no cookie is needed. */
function Switches({ site, path }: { site: Site; path: string }) {
  const { texts, locales, markets } = site;
  if (locales.length < 2 && markets.length < 2) return null;
  return (
    <div class="switches">
      {locales.length > 1 && (
        <nav aria-label={texts.site.language}>
          {locales.map((locale) => (
            <a
              key={locale}
              href={link(site, path, locale)}
              hreflang={locale}
              lang={locale}
              aria-current={locale === site.locale ? 'true' : undefined}
            >
              {languageName(locale)}
            </a>
          ))}
        </nav>
      )}
      {markets.length > 1 && (
        <form method="get" class="market">
          <label>
            <span>{texts.site.market}</span>
            <select name="market">
              {markets.map(({ id, name = id, currency }) => (
                <option key={id} value={id} selected={id === site.market.id}>
                  {name}, {currency.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="quiet without-script">
            {texts.site.apply}
          </button>
        </form>
      )}
    </div>
  );
}

function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
