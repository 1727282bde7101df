import { type Collection, type Entry, isSoukError } from '@souk/client';
import { plainText } from '../markup.ts';
import { MISSING, page, type Visit } from '../page.ts';
import { link } from '../site.ts';
import { PostList, tagBlock } from '../writing/posts.tsx';

type Data = { collection: Collection; entries: Entry[]; next: string | null; tag: string | null; tags: string[] };

const POSTS = 20;

/** Null if there is no published collection with this slug. */
export const findCollection = async ({ souk, params }: Pick<Visit, 'souk' | 'params'>): Promise<Collection | null> => {
  const collection = await souk.collections.get(params.collection!).catch((error) => {
    if (isSoukError(error, 'NOT_FOUND')) return null;
    throw error;
  });
  return collection?.slug === params.collection ? collection : null;
};

type Option = string | { value: string };

function optionsOf(collection: Collection): string[] {
  const block = collection.blocks.find(({ id }) => id === tagBlock(collection));
  const options = (block?.settings?.options ?? []) as Option[];
  return options.map((option) => (typeof option === 'string' ? option : option.value));
}

/** The posts of a collection, newest first, with the posts of one tag as `?tag=`. */
export default page<Data>({
  path: '/:collection',
  parameters: ['tag', 'cursor'],
  async load({ site, souk, params, query }) {
    const collection = await findCollection({ souk, params });
    if (!collection) return MISSING;
    const block = tagBlock(collection);
    const tag = block ? query.get('tag') : null;
    const { items, cursor } = await souk.entries
      .list({
        collectionId: collection.id,
        limit: POSTS,
        ...(site.locales.length > 1 && { locale: site.locale }),
        ...(tag && { [`filter[${block}]`]: tag }),
      })
      .page(query.get('cursor'));
    const path = `/${collection.slug}`;
    return {
      data: { collection, entries: items, next: cursor, tag, tags: optionsOf(collection) },
      head: {
        title: tag ? `${collection.name}: ${tag}` : collection.name,
        description: plainText(collection.description) || undefined,
        canonical: tag ? `${path}?tag=${encodeURIComponent(tag)}` : path,
        noindex: query.has('cursor'),
        feeds: [{ title: collection.name, path: `${path}/feed.xml` }],
      },
      keys: [`collection:${collection.id}`, 'entries'],
    };
  },
  View({ data: { collection, entries, next, tag, tags }, site }) {
    const { posts } = site.texts;
    const path = `/${collection.slug}`;
    const to = (query: Record<string, string>) => link(site, `${path}?${new URLSearchParams(query)}`);
    return (
      <main id="main" class="narrow">
        <h1>{collection.name}</h1>
        {collection.description && <p class="lead">{collection.description}</p>}
        {collection.type === 'NEWSLETTER' && (
          <p class="newsletter-links">
            <a href={link(site, `${path}/subscribe`)} class="button">
              {posts.subscribe}
            </a>
            <a href={link(site, `${path}/archive`)}>{posts.archive}</a>
          </p>
        )}
        {tags.length > 0 && (
          <nav class="tags" aria-label={posts.topics}>
            <a href={link(site, path)} aria-current={tag === null ? 'page' : undefined}>
              {posts.all}
            </a>
            {tags.map((each) => (
              <a key={each} href={to({ tag: each })} aria-current={each === tag ? 'page' : undefined}>
                {each}
              </a>
            ))}
          </nav>
        )}
        {entries.length === 0 ? <p>{posts.none}</p> : <PostList collection={collection} entries={entries} level={2} />}
        {next && (
          <p class="load-more">
            <a href={to({ ...(tag && { tag }), cursor: next })} class="button quiet" rel="next">
              {posts.older}
            </a>
          </p>
        )}
      </main>
    );
  },
});
