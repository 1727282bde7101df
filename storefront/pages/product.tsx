import { isSoukError, type Product } from '@souk/client';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { ProductGrid } from '../cards.tsx';
import { ProductDetails } from '../catalog/product-details.tsx';
import { inLocale } from '../catalog/query.ts';
import { requestAlert, StockAlert } from '../catalog/stock-alert.tsx';
import { chargesShipping } from '../checkout/places.ts';
import { Island } from '../island.tsx';
import { GALLERY_SIZES, Gallery } from '../islands/gallery.tsx';
import { VariantPicker } from '../islands/variant-picker.tsx';
import { plainText } from '../markup.ts';
import { MISSING, page, type SiteInfo, type Visit } from '../page.ts';
import { srcsetOf } from '../picture.tsx';
import { breadcrumbs, type Crumb, productData } from '../seo.ts';
import { localText } from '../site.ts';
import { categoryCrumbs } from './category.tsx';

type Data = { product: Product; related: Product[]; crumbs: Crumb[]; alert: string | null };

const RELATED = 4;

export default page<Data>({
  path: '/products/:slug',
  parameters: ['alert'],
  async load({ site, souk, params, query }) {
    const product = await souk.products.get(params.slug!, { query: inLocale(site) }).catch((error) => {
      if (isSoukError(error, 'NOT_FOUND')) return null;
      throw error;
    });
    if (!product) return MISSING;
    const path = `/products/${product.slug}`;
    // An ID redirects to the URL of the product.
    if (params.slug !== product.slug) return { redirect: path, status: 301 };
    const [categoryId] = product.categoryIds;
    const [related, category] = await Promise.all([
      listRelated(souk, product, site),
      categoryId ? souk.categories.get(categoryId, { query: inLocale(site) }).catch(() => null) : null,
    ]);
    const crumbs = [
      ...(category ? categoryCrumbs(site, category) : [{ name: site.texts.site.home, path: '/' }]),
      { name: product.name, path },
    ];
    const [image] = product.gallery;
    const { seo, translations = {}, defaultSlug = product.slug } = product;
    return {
      data: { product, related, crumbs, alert: query.get('alert') },
      head: {
        title: seo?.title ?? product.name,
        description: seo?.description ?? plainText(product.description),
        canonical: path,
        alternates: Object.fromEntries(
          site.locales.map((locale, i) => [
            locale,
            `/products/${(i > 0 && translations[locale]?.slug) || defaultSlug}`,
          ]),
        ),
        noindex: query.has('alert'),
        type: 'product',
        image: image?.resolutions?.large?.url ?? image?.url,
        preload: image && { src: image.url, srcset: srcsetOf(image), sizes: srcsetOf(image) && GALLERY_SIZES },
        jsonLd: [productData(site, product), breadcrumbs(site, crumbs)],
      },
      keys: [`product:${product.id}`, ...related.map(({ id }) => `product:${id}`)],
    };
  },
  actions: { alert: requestAlert },
  openActions: ['alert'],
  View({ data: { product, related, crumbs, alert }, site }) {
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
                shipping: chargesShipping(site)
                  ? { hasPage: localText(site.config.legal?.shipping, site) !== '' }
                  : null,
              }}
            />
            <StockAlert product={product} state={alert} />
            {product.descriptionHtml ? (
              // The service sanitizes it.
              <div class="lead rich" dangerouslySetInnerHTML={{ __html: product.descriptionHtml }} />
            ) : (
              <p class="lead lines">{product.description}</p>
            )}
            <ProductDetails product={product} />
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

/** None for a product that is not public, which only previews show. */
async function listRelated(souk: Visit['souk'], { id }: Product, site: SiteInfo): Promise<Product[]> {
  try {
    return await souk.products.listRelated(id, { limit: RELATED, ...inLocale(site) }).take(RELATED);
  } catch (error) {
    if (isSoukError(error, 'NOT_FOUND')) return [];
    throw error;
  }
}
