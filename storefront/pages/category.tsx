import { type Category, isSoukError, type ListedCategory } from '@souk/client';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { CategoryLinks, categoryPath, listChildren } from '../catalog/category-links.tsx';
import { Listing } from '../catalog/listing.tsx';
import { type Listing as List, loadListing } from '../catalog/load.ts';
import { inLocale, isFiltered, LIST_PARAMETERS } from '../catalog/query.ts';
import { plainText } from '../markup.ts';
import { MISSING, page, type Site } from '../page.ts';
import { Picture } from '../picture.tsx';
import { breadcrumbs, type Crumb } from '../seo.ts';
import { altOf } from '../site.ts';

type Data = { category: Category; children: ListedCategory[]; crumbs: Crumb[]; listing: List };

/** The breadcrumbs of a category, from the home page. */
export const categoryCrumbs = (site: Site, { name, slug, ancestors }: Category): Crumb[] => [
  { name: site.texts.site.home, path: '/' },
  ...[...ancestors, { name, slug }].map((each) => ({ name: each.name, path: categoryPath(each.slug) })),
];

export default page<Data>({
  path: '/categories/:slug',
  parameters: LIST_PARAMETERS,
  async load(visit) {
    const { site, souk, params } = visit;
    const category = await souk.categories.get(params.slug!, { query: inLocale(site) }).catch((error) => {
      if (isSoukError(error, 'NOT_FOUND')) return null;
      throw error;
    });
    if (!category) return MISSING;
    const path = categoryPath(category.slug);
    if (params.slug !== category.slug) return { redirect: path, status: 301 };
    const [children, listing] = await Promise.all([listChildren(visit, category.id), loadListing(visit, category.id)]);
    const crumbs = categoryCrumbs(site, category);
    const { seo, media, description, translations = {}, defaultSlug = category.slug } = category;
    return {
      data: { category, children, crumbs, listing },
      head: {
        title: seo?.title ?? category.name,
        description: seo?.description ?? (plainText(description) || undefined),
        canonical: path,
        alternates: Object.fromEntries(
          site.locales.map((locale, i) => [locale, categoryPath((i > 0 && translations[locale]?.slug) || defaultSlug)]),
        ),
        image: media?.resolutions?.large?.url ?? media?.url,
        noindex: isFiltered(listing.filters) || !listing.isFirst,
        jsonLd: [breadcrumbs(site, crumbs)],
      },
      keys: ['products', `category:${category.id}`],
    };
  },
  View({ data: { category, children, crumbs, listing }, site }) {
    const { name, description, media, slug } = category;
    return (
      <main id="main">
        <Breadcrumbs crumbs={crumbs} />
        <header class={media ? 'category-head with-picture' : 'category-head'}>
          <div>
            <h1>{name}</h1>
            {/* The service sanitizes it. */}
            {description && <div class="lead rich" dangerouslySetInnerHTML={{ __html: description }} />}
          </div>
          {media && <Picture media={media} alt={altOf(media, site)} sizes="(min-width: 48rem) 24rem, 92vw" isFirst />}
        </header>
        <CategoryLinks categories={children} label={site.texts.catalog.subcategories} site={site} />
        <Listing data={listing} site={site} path={categoryPath(slug)} />
      </main>
    );
  },
});
