/** The entry point on the server: finds the page of a path and renders it to HTML. */
import { renderToString } from 'preact-render-to-string';
import { type Assets, Document } from './document.tsx';
import { SiteProvider } from './island.tsx';
import { Layout } from './layout.tsx';
import type { Page, Shown, Site, Visit } from './page.ts';
import { pages } from './pages/index.ts';

export { createClient } from '@souk/client';
export { writeProductFeed } from './feed.ts';
export { isMissing, isRedirect } from './page.ts';
export { pages } from './pages/index.ts';
export { problem, showFailure, showMissing, showReadOnly } from './pages/problem.tsx';
export { absolute, link } from './site.ts';
export { LANGUAGES, textsOf } from './texts/index.ts';
export { themeStyles } from './theme.ts';

type Match = { page: Page; params: Record<string, string> };

type Route = { page: Page; parts: string[] };
const routes: Route[] = pages.map((page) => ({ page, parts: partsOf(page.path) })).sort(byPrecision);

/** The page of a path within the site. Fixed parts win over parameters. */
export function findPage(path: string): Match | null {
  const parts = partsOf(path);
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

type RenderInput = {
  page: Page;
  site: Site;
  visit: Pick<Visit, 'csrf' | 'session' | 'query'>;
  path: string;
  shown: Shown<unknown>;
  assets: Assets;
};

export function renderPage({ page: { View, plain }, site, visit, path, shown, assets }: RenderInput): string {
  const html = renderToString(
    <Document site={site} head={shown.head} path={path} assets={assets}>
      <SiteProvider value={site}>
        <Layout site={site} path={path} isPlain={plain === true} support={visit.session?.support ?? null}>
          <View data={shown.data} site={site} visit={visit} />
        </Layout>
      </SiteProvider>
    </Document>,
  );
  return `<!doctype html>${html}`;
}
