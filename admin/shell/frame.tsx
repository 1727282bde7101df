/** What stands around every page: navigation by permission, the business, search, colours, language. */
import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { forget, isAway } from '../parts/load.ts';
import { Toasts, toast } from '../parts/toast.tsx';
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../text/index.ts';
import { Icon } from './icons.tsx';
import { KeysDialog, showsKeys, showsPalette } from './keys.tsx';
import { LoginAgain } from './login.tsx';
import { NewBusinessDialog } from './new-business.tsx';
import { followNews, useNews } from './news.ts';
import { loadPage, PageOf } from './page-of.tsx';
import { matchRoute, ROOMS, type Routes } from './rooms.ts';
import { address, href, navigate, segments } from './router.ts';
import { business, businesses, can, logOut, me, openBusiness } from './session.ts';
import { chooseTheme, type Theme, theme } from './theme.ts';

const isOffline = signal(!navigator.onLine);
for (const name of ['online', 'offline']) {
  addEventListener(name, () => {
    isOffline.value = !navigator.onLine;
  });
}

export function Frame() {
  const id = business.value?.id;
  useEffect(followNews, [id]);
  useNews('order.', (event) => {
    forget('list orders');
    forget('home');
    if (event.type !== 'order.created') return;
    const { number, id: orderId } = event.data as { number: number; id: string };
    const show = { label: t('shell.show'), run: () => navigate(`/orders/${orderId}`) };
    toast(t('shell.newOrderNews', { number }), { action: show });
  });
  return (
    <div class="frame">
      <Side />
      <div class="content">
        <Banner />
        <PageOf />
      </div>
      <Toasts />
      <PaletteLoader />
      <KeysDialog />
      <LoginAgain />
    </div>
  );
}

function Side() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address.value.href]);
  return (
    <header class="side" data-open={isOpen}>
      <div class="side-head">
        <BusinessSwitcher />
        <button
          type="button"
          class="icon"
          aria-label={t('shell.searchAll')}
          aria-keyshortcuts="Control+K"
          onClick={() => {
            showsPalette.value = true;
          }}
        >
          <Icon name="search" />
        </button>
        <button
          type="button"
          class="icon menu"
          aria-label={t('shell.menu')}
          aria-expanded={isOpen}
          aria-controls="side-body"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </button>
      </div>
      <div id="side-body" class="side-body">
        <Navigation />
        <Foot />
      </div>
    </header>
  );
}

function Navigation() {
  const [here = ''] = segments.value;
  const shown = ROOMS.filter(
    ({ permissions, isUnlisted }) => !isUnlisted && (permissions.length === 0 || permissions.some(can)),
  );
  useEffect(() => loadWhenIdle(shown), [business.value?.id]);
  return (
    <nav aria-label={t('shell.nav')}>
      <ul>
        {shown.map(({ path, text, icon, routes }) => {
          const ahead = () => void loadRoom(routes);
          return (
            <li key={path}>
              <a
                href={href(`/${path}`)}
                aria-current={here === path ? 'page' : undefined}
                onPointerEnter={ahead}
                onFocus={ahead}
              >
                <Icon name={icon} />
                {t(text)}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

async function loadRoom(routes: Routes): Promise<void> {
  const match = matchRoute(routes, []);
  if (match) await loadPage(match.load).catch(() => {});
}

const IDLE_MS = 1500;

/** The first pages of the rooms, one after the other, once the page that was asked for is there: a few kilobytes each. */
function loadWhenIdle(rooms: readonly { routes: Routes }[]): () => void {
  const timer = setTimeout(async () => {
    for (const { routes } of rooms) await loadRoom(routes);
  }, IDLE_MS);
  return () => clearTimeout(timer);
}

const NEW = 'new';

function BusinessSwitcher() {
  const [isMaking, setMaking] = useState(false);
  const current = business.value?.id;
  return (
    <>
      <select
        class="switcher"
        aria-label={t('shell.business')}
        value={current}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const next = businesses.value.find(({ id }) => id === value);
          if (value === NEW) setMaking(true);
          else if (next) openBusiness(next);
          event.currentTarget.value = value === NEW ? (current ?? '') : value;
        }}
      >
        {businesses.value.map(({ id, name }) => (
          <option key={id} value={id} selected={id === current}>
            {name}
          </option>
        ))}
        <option value={NEW}>{`+ ${t('shell.newBusiness')}`}</option>
      </select>
      {isMaking && <NewBusinessDialog close={() => setMaking(false)} />}
    </>
  );
}

function Foot() {
  const themes: [Theme, string][] = [
    ['auto', t('shell.themeAuto')],
    ['light', t('shell.themeLight')],
    ['dark', t('shell.themeDark')],
  ];
  return (
    <div class="side-foot">
      <div class="side-choices">
        <select
          aria-label={t('shell.theme')}
          value={theme.value}
          onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        >
          {themes.map(([value, text]) => (
            <option key={value} value={value} selected={value === theme.value}>
              {text}
            </option>
          ))}
        </select>
        <select
          aria-label={t('shell.language')}
          value={language.value}
          onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([value, text]) => (
            <option key={value} value={value} selected={value === language.value} lang={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <p class="who">
        <span class="small" title={me.value?.email}>
          {me.value?.name || me.value?.email}
        </span>
        <button
          type="button"
          class="icon"
          aria-label={t('shell.keys')}
          onClick={() => {
            showsKeys.value = true;
          }}
        >
          <Icon name="keys" />
        </button>
        <button type="button" class="link" onClick={() => logOut()}>
          {t('shell.logOut')}
        </button>
      </p>
    </div>
  );
}

function Banner() {
  const text = isOffline.value ? t('shell.offline') : isAway.value ? t('shell.away') : '';
  return (
    <p class="banner" role="status" hidden={text === ''}>
      {text}
    </p>
  );
}

const palette = signal<ComponentType<{ close: () => void }> | null>(null);
effect(() => {
  if (showsPalette.value && !palette.peek())
    import('./palette.tsx').then(({ default: Palette }) => {
      palette.value = Palette;
    });
});

function PaletteLoader() {
  const Palette = palette.value;
  if (!showsPalette.value || !Palette) return null;
  return (
    <Palette
      close={() => {
        showsPalette.value = false;
      }}
    />
  );
}
