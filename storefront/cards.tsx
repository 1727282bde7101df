/** Products in a grid. */
import type { Product } from '@souk/client';
import { useSite } from './island.tsx';
import { Picture } from './picture.tsx';
import { Price } from './price.tsx';
import { firstAvailable, hasPriceRange, link, lowestPrice } from './site.ts';

const CARD_SIZES = '(min-width: 48rem) 18rem, 45vw';

/** Cards of products. The first ones are on the first screen, so their images are not lazy. */
export const ProductGrid = ({ products, eager = 0 }: { products: Product[]; eager?: number }) => (
  <ul class="grid">
    {products.map((product, i) => (
      <ProductCard key={product.id} product={product} isFirst={i < eager} />
    ))}
  </ul>
);

/** A product with one variant is added to the cart from its card; for others, a variant is chosen on the product page. */
function ProductCard({ product, isFirst = false }: { product: Product; isFirst?: boolean }) {
  const site = useSite();
  const { product: words } = site.texts;
  const [image] = product.gallery;
  const variant = firstAvailable(product, site);
  const nameId = `name-${product.id}`;
  return (
    <li class="card">
      <a href={link(site, `/products/${product.slug}`)} class="card-link">
        <Picture media={image} alt="" sizes={CARD_SIZES} width={400} isFirst={isFirst} />
        <span id={nameId} class="card-name">
          {product.name}
        </span>
      </a>
      <div class="card-foot">
        <Price price={lowestPrice(product, site)} isLowest={hasPriceRange(product, site)} />
        {variant && product.variants.length === 1 && (
          <form action={link(site, '/cart')} method="post">
            <input type="hidden" name="action" value="add" />
            <input type="hidden" name="productId" value={product.id} />
            <input type="hidden" name="variantId" value={variant.id} />
            <button type="submit" class="add" aria-describedby={nameId}>
              {words.addToCart}
            </button>
          </form>
        )}
        {variant && product.variants.length > 1 && (
          <a href={link(site, `/products/${product.slug}`)} class="button add" aria-describedby={nameId}>
            {words.choose}
          </a>
        )}
        {!variant && lowestPrice(product, site) && <span class="tag">{words.soldOut}</span>}
      </div>
    </li>
  );
}
