/** The sidebar: business, search, navigation by permission, theme, language, account. */
import { useEffect, useState } from 'preact/hooks';
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../text/index.ts';
import { Icon } from './icons.tsx';
import { showsKeys, showsPalette } from './keys.tsx';
import { NewBusinessDialog } from './new-business.tsx';
import { loadPage } from './page-of.tsx';
import { address, href, segments } from './router.ts';
import { matchRoute, type Routes } from './routes.ts';
import { SECTIONS } from './sections.ts';
import { business, businesses, can, logOut, me, openBusiness } from './session.ts';
import { chooseTheme, type Theme, theme } from './theme.ts';

export function Side() {
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
  const shown = SECTIONS.filter(
    ({ permissions, isUnlisted }) => !isUnlisted && (permissions.length === 0 || permissions.some(can)),
  );
  useEffect(() => loadWhenIdle(shown), [business.value?.id]);
  return (
    <nav aria-label={t('shell.nav')}>
      <ul>
        {shown.map(({ path, text, icon, routes }) => {
          const ahead = () => void loadSection(routes);
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

async function loadSection(routes: Routes): Promise<void> {
  const match = matchRoute(routes, []);
  if (match) await loadPage(match.load).catch(() => {});
}

const IDLE_MS = 1500;

/** Preloads the first page of each section, one at a time, after the current page is shown. */
function loadWhenIdle(sections: readonly { routes: Routes }[]): () => void {
  const timer = setTimeout(async () => {
    for (const { routes } of sections) await loadSection(routes);
  }, IDLE_MS);
  return () => clearTimeout(timer);
}

const NEW = 'new';

function BusinessSwitcher() {
  const [isCreating, setCreating] = useState(false);
  const current = business.value?.id;
  return (
    <>
      <div class="switcher">
        {/* A select would cut a long name off. */}
        <span aria-hidden="true">{business.value?.name}</span>
        <select
          aria-label={t('shell.business')}
          value={current}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const next = businesses.value.find(({ id }) => id === value);
            if (value === NEW) setCreating(true);
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
      </div>
      {isCreating && <NewBusinessDialog close={() => setCreating(false)} />}
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
