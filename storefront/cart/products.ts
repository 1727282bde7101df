import { type Client, isSoukError, type Media } from '@souk/client';

/** The product details that a line shows, besides the name. */
export type Shown = { slug: string; image: Media | null };

/** The products of these lines that still exist, by ID. */
export async function productsOf(
  souk: Client,
  lines: readonly { productId: string }[],
): Promise<Record<string, Shown>> {
  const ids = [...new Set(lines.map(({ productId }) => productId))];
  if (ids.length === 0) return {};
  const products = await souk.products
    .list({ ids, limit: ids.length })
    .take(ids.length)
    .catch((error) => {
      if (isSoukError(error, 'NOT_FOUND')) return [];
      throw error;
    });
  return Object.fromEntries(products.map(({ id, slug, gallery: [image = null] }) => [id, { slug, image }]));
}
