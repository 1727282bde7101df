/** The definition of a page. */
import type { VNode } from 'preact';
import type { Served, Site, Visit } from './contract.ts';

export * from './contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: a list of pages has pages with different data.
export type Page<D = any> = Served<D> & {
  View: (props: { data: D; site: Site; visit: Pick<Visit, 'csrf' | 'session' | 'query'> }) => VNode;
};

/** For pages: `export default page({ … })` infers the data of the page. */
export const page = <D>(definition: Page<D>): Page<D> => definition;
