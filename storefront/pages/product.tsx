import { isSoukError, type Product } from '@souk/client';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { ProductGrid } from '../cards.tsx';
import { Island } from '../island.tsx';
import { GALLERY_SIZES, Gallery } from '../islands/gallery.tsx';
import { VariantPicker } from '../islands/variant-picker.tsx';
import { MISSING, page } from '../page.ts';
import { srcsetOf } from '../picture.tsx';
import { breadcrumbs, type Crumb, productData } from '../seo.ts';
import { plainText } from '../site.ts';

type Data = { product: Product; related: Product[]; crumbs: Crumb[] };

const RELATED = 4;

export default page<Data>({
  path: '/products/:slug',
  async load({ site, souk, params }) {
    const product = await souk.products.get(params.slug!).catch((error) => {
      if (isSoukError(error, 'NOT_FOUND')) return null;
      throw error;
    });
    if (!product) return MISSING;
    const path = `/products/${product.slug}`;
    // An ID leads to the one address of the product.
    if (params.slug !== product.slug) return { redirect: path, status: 301 };
    const similar = product.category
      ? await souk.products.list({ category: product.category, sort: 'oldest', limit: RELATED + 1 }).take(RELATED + 1)
      : [];
    const related = similar.filter(({ id }) => id !== product.id).slice(0, RELATED);
    const crumbs = [
      { name: site.texts.site.home, path: '/' },
      { name: product.name, path },
    ];
    const [image] = product.gallery;
    return {
      data: { product, related, crumbs },
      head: {
        title: product.name,
        description: plainText(product.description),
        type: 'product',
        image: image?.resolutions?.large?.url ?? image?.url,
        preload: image && { src: image.url, srcset: srcsetOf(image), sizes: srcsetOf(image) && GALLERY_SIZES },
        jsonLd: [productData(site, product), breadcrumbs(site, crumbs)],
      },
      keys: [`product:${product.id}`, ...related.map(({ id }) => `product:${id}`)],
    };
  },
  View({ data: { product, related, crumbs }, site }) {
    return (
      <main id="main">
        <Breadcrumbs crumbs={crumbs} />
        <article class="product">
          <Island name="gallery" of={Gallery} props={{ images: product.gallery, name: product.name }} />
          <div class="product-facts">
            <h1>{product.name}</h1>
            <Island
              name="variant-picker"
              of={VariantPicker}
              props={{
                product: { id: product.id, variants: product.variants },
                hasShippingPage: site.config.legal?.shipping !== undefined,
              }}
            />
            <p class="lead">{product.description}</p>
          </div>
        </article>
        {related.length > 0 && (
          <section class="more">
            <h2>{site.texts.product.related}</h2>
            <ProductGrid products={related} />
          </section>
        )}
      </main>
    );
  },
});
