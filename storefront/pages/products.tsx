import type { ListedCategory } from '@souk/client';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { CategoryLinks, listChildren } from '../catalog/category-links.tsx';
import { Listing } from '../catalog/listing.tsx';
import { type Listing as List, loadListing } from '../catalog/load.ts';
import { isFiltered, LIST_PARAMETERS } from '../catalog/query.ts';
import { page, type Site } from '../page.ts';
import { breadcrumbs } from '../seo.ts';
import { fill } from '../site.ts';

const PATH = '/products';

type Data = { listing: List; categories: ListedCategory[] };

const titleOf = ({ filters }: List, { texts }: Site) =>
  filters.q ? fill(texts.catalog.resultsFor, { query: filters.q }) : texts.site.allProducts;

const crumbsOf = ({ texts }: Site) => [
  { name: texts.site.home, path: '/' },
  { name: texts.site.allProducts, path: PATH },
];

/** All products, and the results of a search. Without a menu of its own, the site has no other links to categories. */
export default page<Data>({
  path: PATH,
  parameters: LIST_PARAMETERS,
  async load(visit) {
    const { site, query } = visit;
    const [listing, categories] = await Promise.all([
      loadListing(visit),
      query.get('q') || site.config.navigation ? [] : listChildren(visit),
    ]);
    return {
      data: { listing, categories },
      head: {
        title: titleOf(listing, site),
        canonical: PATH,
        // Search engines need one URL per product, not one per combination of filters.
        noindex: listing.filters.q !== '' || isFiltered(listing.filters) || !listing.isFirst,
        jsonLd: [breadcrumbs(site, crumbsOf(site))],
      },
      keys: ['products', ...categories.map(({ id }) => `category:${id}`)],
    };
  },
  View({ data: { listing, categories }, site }) {
    return (
      <main id="main">
        <Breadcrumbs crumbs={crumbsOf(site)} />
        <h1>{titleOf(listing, site)}</h1>
        <CategoryLinks categories={categories} label={site.texts.catalog.categories} site={site} />
        <Listing data={listing} site={site} path={PATH} />
      </main>
    );
  },
});
