/** The page of a draft, and the API reads that return the draft instead of the stored record. */
import type { Override } from './transport.ts';

export type DraftPage = { path: string; override: Override };
type Named = { id: string; slug: string };

export function entryPage(collection: Named, entry: { id: string; slug?: string | null }): DraftPage {
  const slug = entry.slug ?? entry.id;
  const folder = encodeURIComponent(collection.slug);
  return {
    path: `/${folder}/${encodeURIComponent(slug)}`,
    override(path, parameters) {
      if (path === `/collections/${folder}`) return collection;
      if (path === `/entries/${entry.id}`) return entry;
      const isFound = path === '/entries' && parameters.get('slug') === slug;
      return isFound ? { items: [entry], cursor: null } : null;
    },
  };
}

export function productPage(product: Named): DraftPage {
  const path = `/products/${encodeURIComponent(product.slug)}`;
  return { path, override: (read) => (read === path ? product : null) };
}
