import type { Product } from '@souk/client';
import { ProductGrid } from '../cards.tsx';
import { page } from '../page.ts';
import { fill, link } from '../site.ts';

type Data = { products: Product[]; cursor: string | null; query: string };

/** All products, or the results of a search. */
export default page<Data>({
  path: '/products',
  async load({ site, souk, query }) {
    const text = (query.get('q') ?? '').trim().slice(0, 200);
    const list = souk.products.list({ limit: 24, ...(text ? { query: text } : { sort: 'newest' }) });
    const { items, cursor } = await list.page(query.get('cursor'));
    const { allProducts, results } = site.texts.site;
    return {
      data: { products: items, cursor, query: text },
      head: {
        title: text ? fill(results, { query: text }) : allProducts,
        noindex: text !== '' || query.has('cursor'),
      },
      keys: ['products'],
    };
  },
  View({ data: { products, cursor, query }, site }) {
    const { texts } = site;
    const more = new URLSearchParams({ ...(query && { q: query }), ...(cursor && { cursor }) });
    return (
      <main id="main">
        <h1>{query ? fill(texts.site.results, { query }) : texts.site.allProducts}</h1>
        {products.length > 0 ? (
          <ProductGrid products={products} eager={2} />
        ) : (
          <p class="empty">{query ? fill(texts.site.noResults, { query }) : texts.site.noProducts}</p>
        )}
        {cursor && (
          <p class="load-more">
            <a href={link(site, `/products?${more}`)} class="button quiet" rel="next">
              {texts.site.more}
            </a>
          </p>
        )}
      </main>
    );
  },
});
