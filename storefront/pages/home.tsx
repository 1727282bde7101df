import type { Collection, Product } from '@souk/client';
import { ProductGrid } from '../cards.tsx';
import { inLocale } from '../catalog/query.ts';
import { page } from '../page.ts';
import { organization, website } from '../seo.ts';
import { link, localText } from '../site.ts';
import { findNewsletter, Newsletter } from '../writing/newsletter.tsx';

type Data = { products: Product[]; newsletter: Collection | null };

const PRODUCTS = 24;

export default page<Data>({
  path: '/',
  async load({ site, souk }) {
    const [products, newsletter] = await Promise.all([
      souk.products.list({ limit: PRODUCTS, sort: 'newest', ...inLocale(site) }).take(PRODUCTS),
      findNewsletter(souk),
    ]);
    const title = localText(site.config.title, site) || site.name;
    return {
      data: { products, newsletter },
      head: {
        title,
        description: localText(site.config.description, site) || undefined,
        jsonLd: [organization(site), website(site)],
      },
      keys: ['products', ...(newsletter ? [`collection:${newsletter.id}`] : [])],
    };
  },
  View({ data, site }) {
    const description = localText(site.config.description, site);
    return (
      <main id="main">
        <header class="hero">
          <h1>{localText(site.config.title, site) || site.name}</h1>
          {description && <p>{description}</p>}
        </header>
        <ProductGrid products={data.products} eager={2} />
        {data.products.length === PRODUCTS && (
          <p class="load-more">
            <a href={link(site, '/products')} class="button quiet">
              {site.texts.site.allProducts}
            </a>
          </p>
        )}
        <Newsletter newsletter={data.newsletter} />
      </main>
    );
  },
});
