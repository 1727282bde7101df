/**
 * Interactive parts. An island is rendered on the server like everything else, with its props next to it; the script
 * hydrates it in the browser. It must work without the script too, for example as a form.
 */
import { type ComponentType, createContext, hydrate } from 'preact';
import { useContext } from 'preact/hooks';
import type { SiteInfo } from './page.ts';
import { infoOf } from './site.ts';
import { type Texts, textsOf } from './texts/index.ts';

export type IslandSite = SiteInfo & { texts: Texts };
const SiteContext = createContext<IslandSite | null>(null);
export const SiteProvider = SiteContext.Provider;

/** The site, for any component. */
export function useSite(): IslandSite {
  const site = useContext(SiteContext);
  if (!site) throw new Error('No site: render the component inside a page.');
  return site;
}

// biome-ignore lint/suspicious/noExplicitAny: each island has its own props.
export type Islands = Record<string, ComponentType<any>>;

/** JSON that can't end its script element or start a comment. */
export const safeJson = (value: unknown) => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeCharacter);
const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

type IslandProps<P> = { name: string; of: ComponentType<P>; props: P };

/** `name` is the name of the component in `islands/index.ts`. */
export function Island<P extends object>({ name, of: Component, props }: IslandProps<P>) {
  return (
    <div class="island" data-island={name}>
      <script type="application/json" dangerouslySetInnerHTML={{ __html: safeJson(props) }} />
      <div class="island">
        <Component {...props} />
      </div>
    </div>
  );
}

/** The data of the site for the script. */
export const SiteData = ({ site }: { site: Parameters<typeof infoOf>[0] }) => (
  <script id="site" type="application/json" dangerouslySetInnerHTML={{ __html: safeJson(infoOf(site)) }} />
);

/** In the browser: hydrates every island on the page. */
export function startIslands(islands: Islands, root: ParentNode = document): void {
  const data = document.getElementById('site');
  if (!data) return;
  const info = JSON.parse(data.textContent ?? '') as SiteInfo;
  const site = { ...info, texts: textsOf(info.locale) };
  for (const place of root.querySelectorAll<HTMLElement>('[data-island]')) {
    const Component = islands[place.dataset.island!];
    const [script, root] = place.children;
    if (!Component || !script || !root) continue;
    const props = JSON.parse(script.textContent ?? '{}') as object;
    hydrate(
      <SiteProvider value={site}>
        <Component {...props} />
      </SiteProvider>,
      root,
    );
  }
}
