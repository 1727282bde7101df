/** The parts of the site that its server uses. `server.tsx` implements it. */
import type { Client, createClient } from '@souk/client';
import type { Loaded, Missing, Redirect, Served, Shown, Site, Visit } from './contract.ts';
import type { Texts } from './texts/index.ts';

/** Files of the script and its styles, under /assets. `script`: null on pages without scripts. */
export type Assets = { script: string | null; preloads: string[]; styles: string[]; reloads: boolean };

export type RenderInput = {
  page: Served;
  site: Site;
  visit: Pick<Visit, 'csrf' | 'session' | 'query'>;
  path: string;
  shown: Shown<unknown>;
  assets: Assets;
};

export type SiteModule = {
  pages: Served[];
  /** The page of a path within the site. */
  findPage(path: string): { page: Served; params: Record<string, string> } | null;
  /** The parameters that a page depends on, in a fixed order. Parameters that no page uses are left out. */
  knownQuery(page: Served | null, query: URLSearchParams): URLSearchParams;
  renderPage(input: RenderInput): string;
  isRedirect(loaded: Loaded<unknown>): loaded is Redirect;
  isMissing(loaded: Loaded<unknown>): loaded is Missing;
  problem: Served;
  showMissing(site: Site, status: 404 | 410): Shown<unknown>;
  showFailure(site: Site): Shown<unknown>;
  showExpired(site: Site): Shown<unknown>;
  showReadOnly(site: Site): Shown<unknown>;
  textsOf(locale: string): Texts;
  themeStyles(file: string): string | null;
  siteIcon(site: Site): string;
  withoutVariables(text: string): string;
  link(site: Site, path: string): string;
  absolute(site: Site, path: string, locale: string): string;
  writeProductFeed(site: Site, souk: Client): AsyncGenerator<string>;
  createClient: typeof createClient;
};
