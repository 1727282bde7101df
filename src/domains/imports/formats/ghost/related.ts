/** The tables of a Ghost export that belong to its posts: tags, authors and metadata. */

import type { Related } from '../format.ts';
import { textOf } from '../format.ts';

const PREFIXES = ['', 'data.', 'db.[].data.'];
const TABLES = ['tags', 'posts_tags', 'users', 'posts_authors', 'posts_meta'] as const;

type Item = Record<string, unknown>;

export const relatedLists: Related = {
  paths: PREFIXES.flatMap((prefix) => TABLES.map((table) => `${prefix}${table}`)),
  complete(lists, isCut) {
    const table = (name: (typeof TABLES)[number]) => PREFIXES.flatMap((prefix) => lists.get(`${prefix}${name}`) ?? []);
    const tags = linked(table('posts_tags'), 'tag_id', table('tags'));
    const authors = linked(table('posts_authors'), 'author_id', table('users'));
    const users = new Map(table('users').map((user) => [textOf(user.id), user]));
    const meta = new Map(table('posts_meta').map(({ id: _, ...item }) => [textOf(item.post_id), item]));
    return (post) => {
      const id = textOf(post.id);
      const author = users.get(textOf(post.author_id));
      return {
        ...meta.get(id),
        ...post,
        tags: post.tags ?? tags.get(id) ?? [],
        authors: post.authors ?? authors.get(id) ?? (author ? [author] : []),
        ...(isCut ? { relations_cut: true } : {}),
      };
    };
  },
};

/** The records that each post is linked to, in order. */
function linked(links: readonly Item[], field: string, records: readonly Item[]): Map<string, Item[]> {
  const byId = new Map(records.map((record) => [textOf(record.id), record]));
  const sorted = links.toSorted((a, b) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0));
  return new Map(
    [...Map.groupBy(sorted, (link) => textOf(link.post_id))].map(([id, each]) => [
      id,
      each.map((link) => byId.get(textOf(link[field]))).filter((record) => record !== undefined),
    ]),
  );
}
