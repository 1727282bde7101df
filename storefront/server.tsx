/** The entry point on the server: finds the page of a path and renders it to HTML. */
import { createClient } from '@souk/client';
import { renderToString } from 'preact-render-to-string';
import { Document } from './document.tsx';
import { writeProductFeed } from './feed.ts';
import { siteIcon } from './icon.ts';
import { SiteProvider } from './island.tsx';
import { Layout } from './layout.tsx';
import { withoutVariables } from './markup.ts';
import type { RenderInput, SiteModule } from './module.ts';
import { isMissing, isRedirect, type Page, type Served } from './page.ts';
import { pages } from './pages/index.ts';
import { problem, showExpired, showFailure, showMissing, showReadOnly } from './pages/problem.tsx';
import { absolute, link } from './site.ts';
import { textsOf } from './texts/index.ts';
import { themeStyles } from './theme.ts';

type Match = { page: Page; params: Record<string, string> };

type Route = { page: Page; parts: string[] };
const routes: Route[] = pages.map((page) => ({ page, parts: partsOf(page.path) })).sort(byPrecision);

/** Fixed parts win over parameters. */
function findPage(path: string): Match | null {
  const parts = partsOf(path);
  // In the URL of an API call, such a parameter would lead to a different path.
  if (parts.some((part) => /^\.{1,2}$/.test(decode(part)))) return null;
  for (const route of routes) {
    const params = matchParts(route.parts, parts);
    if (params) return { page: route.page, params };
  }
  return null;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function byPrecision(a: Route, b: Route): number {
  const weight = ({ parts }: Route) =>
    parts.map((part) => (part === '*' ? '0' : part.startsWith(':') ? '1' : '2')).join('');
  return weight(b).localeCompare(weight(a));
}

function matchParts(pattern: string[], parts: string[]): Record<string, string> | null {
  const takesRest = pattern.at(-1) === '*';
  if (takesRest ? parts.length < pattern.length : parts.length !== pattern.length) return null;
  const params: Record<string, string> = {};
  for (const [i, each] of pattern.entries()) {
    if (each === '*') params.rest = parts.slice(i).map(decode).join('/');
    else if (each.startsWith(':')) params[each.slice(1)] = decode(parts[i]!);
    else if (each !== parts[i]) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A parameter without a value counts as missing. */
function knownQuery(page: Served | null, query: URLSearchParams): URLSearchParams {
  const { parameters = [] } = page ?? {};
  const known = parameters.flatMap((name) => {
    if (!name.endsWith(':')) return [[name, query.get(name) ?? '']];
    return [...query].filter(([each]) => each.startsWith(name)).sort();
  });
  return new URLSearchParams(known.filter(([, value]) => value !== ''));
}

function renderPage({ page, site, visit, path, shown, assets }: RenderInput): string {
  const { View, plain } = page as Page;
  const html = renderToString(
    <Document site={site} head={shown.head} path={path} assets={assets}>
      <SiteProvider value={site}>
        <Layout
          site={site}
          path={path}
          isPlain={plain === true}
          support={visit.session?.support ?? null}
          searched={(page.parameters?.includes('q') && visit.query.get('q')) || ''}
        >
          <View data={shown.data} site={site} visit={visit} />
        </Layout>
      </SiteProvider>
    </Document>,
  );
  return `<!doctype html>${html}`;
}

export const site: SiteModule = {
  pages,
  findPage,
  knownQuery,
  renderPage,
  isRedirect,
  isMissing,
  problem,
  showMissing,
  showFailure,
  showExpired,
  showReadOnly,
  textsOf,
  themeStyles,
  siteIcon,
  withoutVariables,
  link,
  absolute,
  writeProductFeed,
  createClient,
};
