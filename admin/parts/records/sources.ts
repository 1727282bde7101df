/**
 * Searches records and finds their names, by type. Used by reference fields, the products of a promo code, and the list of records
 * that use a file.
 */
import type { Entry } from '@souk/client';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const TARGETS = ['PRODUCT', 'ENTRY', 'COLLECTION', 'ORDER', 'USER', 'MEDIA'] as const;
export type Target = (typeof TARGETS)[number];
export type Named = { id: string; name: string; path?: string };

const MAX_RESULTS = 20;

/** The entry's title in its own language, or in the first one it has. */
export function entryName({ id, blocks, locale }: Pick<Entry, 'id' | 'blocks' | 'locale'>): string {
  const names = ['title', 'name', 'subject'];
  const filled = blocks.filter(({ type, value }) => type === 'TEXT' && value);
  const block = names.map((name) => filled.find((each) => each.id === name)).find(Boolean) ?? filled[0];
  const texts = typeof block?.value === 'object' ? (block.value as Record<string, string>) : undefined;
  const text = texts ? (texts[locale] ?? Object.values(texts)[0]) : block?.value;
  const plain = String(text ?? '').replace(/<[^<>]*>/g, ' ');
  return plain.trim().slice(0, 80) || t('content.untitled', { id: id.slice(-6) });
}

const entryPath = ({ id, owner }: Pick<Entry, 'id' | 'owner'>) =>
  owner.startsWith('collection:') ? { path: `/content/${owner.slice('collection:'.length)}/${id}` } : {};

type Source = {
  search: (query: string, signal: AbortSignal) => Promise<Named[]>;
  byIds: (ids: string[], signal: AbortSignal) => Promise<Named[]>;
};

const each = (ids: string[], read: (id: string) => Promise<Named>) =>
  Promise.all(ids.map((id) => read(id).catch(() => ({ id, name: id }))));
const words = (query: string) => (query ? { query } : {});

export const SOURCES: Record<Target, Source> = {
  PRODUCT: {
    search: async (query, signal) =>
      (await souk.products.list({ ...words(query), limit: MAX_RESULTS }, { signal }).page()).items.map(toProduct),
    byIds: async (ids, signal) => (await souk.products.list({ ids }, { signal }).take(ids.length)).map(toProduct),
  },
  ENTRY: {
    search: async (query, signal) =>
      (await souk.entries.list({ ...words(query), limit: MAX_RESULTS }, { signal }).page()).items.map(toEntry),
    byIds: async (ids, signal) => (await souk.entries.list({ ids }, { signal }).take(ids.length)).map(toEntry),
  },
  COLLECTION: {
    search: async (name, signal) =>
      (await souk.collections.list({ ...(name ? { name } : {}), limit: MAX_RESULTS }, { signal }).page()).items.map(
        toCollection,
      ),
    byIds: async (ids, signal) => (await souk.collections.list({ ids }, { signal }).take(ids.length)).map(toCollection),
  },
  ORDER: {
    search: async (query, signal) =>
      (await souk.orders.list({ ...words(query), limit: MAX_RESULTS }, { signal }).page()).items.map(toOrder),
    byIds: (ids, signal) => each(ids, async (id) => toOrder(await souk.orders.get(id, { signal }))),
  },
  USER: {
    search: async (query, signal) =>
      (await souk.users.search({ ...words(query), limit: MAX_RESULTS }, { signal }).page()).items.map(toUser),
    byIds: (ids, signal) =>
      each(ids, async (id) => toUser((await souk.users.search({ query: id, limit: 1 }, { signal }).page()).items[0]!)),
  },
  MEDIA: {
    search: async (query, signal) =>
      (await souk.media.list({ ...words(query), limit: MAX_RESULTS }, { signal }).page()).items.map(toMedia),
    byIds: (ids, signal) => each(ids, async (id) => toMedia(await souk.media.get(id, { signal }))),
  },
};

const toProduct = ({ id, name }: { id: string; name: string }): Named => ({ id, name, path: `/products/${id}` });
const toEntry = (entry: Entry): Named => ({ id: entry.id, name: entryName(entry), ...entryPath(entry) });
const toCollection = ({ id, name }: { id: string; name: string }): Named => ({ id, name, path: `/content/${id}` });
const toOrder = ({ id, number }: { id: string; number: number }): Named => ({
  id,
  name: `#${number}`,
  path: `/orders/${id}`,
});
const toUser = ({ id, name, email }: { id: string; name?: string; email?: string }): Named => ({
  id,
  name: name || email || id,
});
const toMedia = ({ id, title, fileName }: { id: string; title?: string; fileName?: string }): Named => ({
  id,
  name: title || fileName || id,
  path: `/media/${id}`,
});

const PREFIXES: Record<string, Target> = {
  prod: 'PRODUCT',
  ent: 'ENTRY',
  col: 'COLLECTION',
  ord: 'ORDER',
  usr: 'USER',
  media: 'MEDIA',
};

/** The names of records, by `id` or `kind:id`. A record that can't be read keeps its ID. */
export async function findNames(ids: string[], signal: AbortSignal): Promise<Named[]> {
  const bare = ids.map((id) => id.replace(/^\w+:/, ''));
  const byTarget = new Map<Target, string[]>();
  for (const id of bare) {
    const target = PREFIXES[id.split('_')[0]!];
    if (target) byTarget.set(target, [...(byTarget.get(target) ?? []), id]);
  }
  const found = await Promise.all(
    [...byTarget].map(([target, some]) => SOURCES[target].byIds(some, signal).catch(() => [])),
  );
  const names = new Map(found.flat().map((each) => [each.id, each]));
  return bare.map((id) => names.get(id) ?? { id, name: id });
}
