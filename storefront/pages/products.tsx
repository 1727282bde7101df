import { Breadcrumbs } from '../breadcrumbs.tsx';
import { Listing } from '../catalog/listing.tsx';
import { type Listing as Data, loadListing } from '../catalog/load.ts';
import { isFiltered, LIST_PARAMETERS } from '../catalog/query.ts';
import { page, type Site } from '../page.ts';
import { breadcrumbs } from '../seo.ts';
import { fill } from '../site.ts';

const PATH = '/products';

const titleOf = ({ filters }: Data, { texts }: Site) =>
  filters.q ? fill(texts.catalog.resultsFor, { query: filters.q }) : texts.site.allProducts;

const crumbsOf = ({ texts }: Site) => [
  { name: texts.site.home, path: '/' },
  { name: texts.site.allProducts, path: PATH },
];

/** All products, and the results of a search. */
export default page<Data>({
  path: PATH,
  parameters: LIST_PARAMETERS,
  async load(visit) {
    const data = await loadListing(visit);
    const { site } = visit;
    return {
      data,
      head: {
        title: titleOf(data, site),
        canonical: PATH,
        // Search engines need one URL per product, not one per combination of filters.
        noindex: data.filters.q !== '' || isFiltered(data.filters) || !data.isFirst,
        jsonLd: [breadcrumbs(site, crumbsOf(site))],
      },
      keys: ['products'],
    };
  },
  View({ data, site }) {
    return (
      <main id="main">
        <Breadcrumbs crumbs={crumbsOf(site)} />
        <h1>{titleOf(data, site)}</h1>
        <Listing data={data} site={site} path={PATH} />
      </main>
    );
  },
});
