/** Shows the page for the URL, a not-found page, or the missing permission. */
import { type ComponentType, createElement } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PageFrame } from '../parts/page.tsx';
import { SkeletonRows } from '../parts/placeholders.tsx';
import { Problem } from '../parts/problem.tsx';
import { t } from '../text/index.ts';
import { href, segments } from './router.ts';
import { matchRoute, type Routes } from './routes.ts';
import { SECTIONS } from './sections.ts';
import { business, can, isSso } from './session.ts';

const ssoAccount: Routes[string] = () => import('../sections/account/sso-account.tsx');

type Page = ComponentType<Record<string, string>>;
const loaded = new Map<Routes[string], Page>();

/** Loads a page before it is opened. */
export async function loadPage(load: Routes[string]): Promise<Page> {
  const page = loaded.get(load) ?? ((await load()).default as unknown as Page);
  loaded.set(load, page);
  return page;
}

export function Lazy({ load, params }: { load: Routes[string]; params: Record<string, string> }) {
  const [state, setState] = useState<{ load?: Routes[string]; page?: Page; error?: unknown }>({});
  const page = loaded.get(load) ?? (state.load === load ? state.page : undefined);
  useEffect(() => {
    if (page) return;
    let isOver = false;
    loadPage(load).then(
      (next) => !isOver && setState({ load, page: next }),
      (error) => !isOver && setState({ load, error }),
    );
    return () => {
      isOver = true;
    };
  }, [load]);
  if (page) return createElement(page, params);
  return (
    <main id="main">
      <Problem error={state.load === load ? state.error : undefined} retry={() => location.reload()} />
      <SkeletonRows />
    </main>
  );
}

export function PageOf() {
  const [first = '', ...rest] = segments.value;
  const section = SECTIONS.find(({ path }) => path === first);
  const match = section && matchRoute(section.routes, rest);
  if (first === 'account' && isSso.value) return <Lazy load={ssoAccount} params={{}} />;
  if (!section || !match) {
    return (
      <PageFrame title={t('shell.notFound')}>
        <p>{t('shell.notFoundText')}</p>
        <a href={href('/')}>{t('shell.toHome')}</a>
      </PageFrame>
    );
  }
  if (section.permissions.length > 0 && !section.permissions.some(can)) {
    return (
      <PageFrame title={t('shell.forbidden')}>
        <p>
          {t('shell.forbiddenText', {
            business: business.value?.name ?? '',
            permission: t(`settings.can_${section.permissions[0]!}`),
          })}
        </p>
        <a href={href('/')}>{t('shell.toHome')}</a>
      </PageFrame>
    );
  }
  return <Lazy key={`${business.value?.id}/${segments.value.join('/')}`} load={match.load} params={match.params} />;
}
