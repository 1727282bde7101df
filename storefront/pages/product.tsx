import { type Product, priceIn, type Variant } from '@souk/client';
import { useState } from 'preact/hooks';
import { addToCart } from '../cart.ts';
import { Choices } from '../choices.tsx';
import { useLoad } from '../load.ts';
import { Empty, LowestPrice, Problem, ProductCard, ProductImage, Title } from '../parts.tsx';
import { firstAvailable, imageOf, isAvailable, listProducts, marketId, money, seen } from '../shop.ts';

export function ProductPage({ slug }: { slug: string }) {
  const {
    data: product,
    error,
    reload,
  } = useLoad<Product | null>(
    async (signal) => {
      const [found] = (await listProducts({ slug, limit: 1 }, signal)).items;
      return found ?? null;
    },
    [slug],
    seen.get(slug),
  );
  if (product === null) {
    return (
      <Empty
        title="Product not found"
        text="Check the URL. The product may no longer be available."
        link="Shop all products"
      />
    );
  }
  return (
    <main id="main">
      {!product && <Title text={error ? 'Product' : 'Loading…'} />}
      <Problem error={error} retry={reload} />
      {product && <Details product={product} />}
      {product && <More product={product} />}
    </main>
  );
}

function Details({ product }: { product: Product }) {
  const [chosen, choose] = useState(firstAvailable(product)?.id ?? product.variants[0]?.id);
  const [quantity, setQuantity] = useState(1);
  const variant = product.variants.find(({ id }) => id === chosen) ?? product.variants[0];
  const price = variant && priceIn(variant, marketId.value);
  return (
    <article class="product">
      <Gallery product={product} variant={variant} />
      <form
        class="product-facts"
        onSubmit={(event) => {
          event.preventDefault();
          if (variant) addToCart(product, variant, quantity);
        }}
      >
        <a href={`/shop/categories/${encodeURIComponent(product.category)}`} class="eyebrow">
          {product.category}
        </a>
        <Title text={product.name} />
        <p class="price large">
          {price ? (price.price === 0 ? 'Free' : money(price.price, price.currency)) : 'Not available in your country'}{' '}
          {price?.compareAtPrice != null && price.compareAtPrice > price.price && (
            <s>
              <span class="visually-hidden">Regular price </span>
              {money(price.compareAtPrice, price.currency)}
            </s>
          )}
          {price && <LowestPrice price={price} />}
        </p>
        <p class="lead">{product.description}</p>
        {product.variants.length > 1 && <Choices product={product} chosen={variant} choose={({ id }) => choose(id)} />}
        {variant && <Stock variant={variant} />}
        <div class="buy">
          <label>
            <span>Quantity</span>
            <input
              type="number"
              min="1"
              max="99"
              value={quantity}
              onInput={(event) => setQuantity(Math.max(1, Number(event.currentTarget.value) || 1))}
            />
          </label>
          <button type="submit" disabled={!variant || !isAvailable(variant)}>
            Add to cart
          </button>
        </div>
      </form>
    </article>
  );
}

function Stock({ variant: { inventory } }: { variant: Variant }) {
  if (!inventory.tracked) return null;
  const { quantity, lowStockThreshold = 0 } = inventory;
  if (quantity === 0) return <p class="stock bad-text">Sold out</p>;
  return (
    <p class="stock">{quantity <= Math.max(lowStockThreshold, 3) ? `Only ${quantity} left in stock` : 'In stock'}</p>
  );
}

function Gallery({ product, variant }: { product: Product; variant: Variant | undefined }) {
  const images = variant?.gallery?.length ? variant.gallery : product.gallery;
  const [index, setIndex] = useState(0);
  const shown = images[index]?.url ?? imageOf(product);
  return (
    <div class="gallery">
      <ProductImage src={shown} alt={product.name} size={800} />
      {images.length > 1 && (
        <ul>
          {images.map(({ id, url }, i) => (
            <li key={id}>
              <button
                type="button"
                aria-label={`Image ${i + 1}`}
                aria-pressed={i === index}
                onClick={() => setIndex(i)}
              >
                <img src={url} alt="" width="80" height="80" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function More({ product }: { product: Product }) {
  const { category, id } = product;
  const { data } = useLoad((signal) => listProducts({ category, sort: 'oldest', limit: 5 }, signal), [category]);
  const others = (data?.items ?? []).filter((each) => each.id !== id).slice(0, 4);
  if (others.length === 0) return null;
  return (
    <section class="more">
      <h2>You may also like</h2>
      <ul class="grid">
        {others.map((each) => (
          <ProductCard key={each.id} product={each} canAdd={false} />
        ))}
      </ul>
    </section>
  );
}
