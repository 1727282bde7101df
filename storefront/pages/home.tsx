import { computed } from '@preact/signals';
import { useList } from '../load.ts';
import { More, Problem, ProductCard, Skeletons, Title } from '../parts.tsx';
import { address } from '../router.ts';
import { listProducts, marketId } from '../shop.ts';

const search = computed(() => address.value.searchParams.get('q') ?? '');

/** All products, one category, or search results. */
export function Home({ category }: { category?: string | undefined }) {
  const query = category ? '' : search.value;
  const { data, error, isLoading, reload, more } = useList(
    (signal, cursor) =>
      listProducts(query ? { query } : { sort: 'oldest', ...(category ? { category } : {}) }, signal, cursor),
    [query, category, marketId.value],
  );
  const count = data?.length ?? 0;
  return (
    <main id="main">
      {query ? (
        <Title text={`Results for “${query}”`} />
      ) : category ? (
        <Title text={category}>
          <span class="capital">{category}</span>
        </Title>
      ) : (
        <header class="hero">
          <Title text="Well-made things">Well-made things for every day</Title>
          <p>Linen, wool, clay, and wood from people who know their craft.</p>
        </header>
      )}
      <p class="quiet small" role="status">
        {query && data && !isLoading && count > 0 && found(count, more !== null)}
      </p>
      <Problem error={error} retry={reload} />
      {!data && !error && <Skeletons count={8} />}
      {data && count > 0 && (
        <ul class="grid" aria-busy={isLoading}>
          {data.map((product) => (
            <ProductCard key={product.id} product={product} />
          ))}
        </ul>
      )}
      {more && <More isBusy={isLoading} onMore={more} />}
      {data && count === 0 && !isLoading && (
        <div class="empty">
          <p>{query ? `No results for “${query}”` : 'No products yet'}</p>
          <p>
            {query && 'Try fewer words or '}
            <a href="/">{query ? 'see all products' : 'See all products'}</a>
            {query && '.'}
          </p>
        </div>
      )}
    </main>
  );
}

function found(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} results`;
  return count === 1 ? '1 result' : `${count} results`;
}
