import type { Collection, Entry } from '@souk/client';
import { MISSING, page } from '../page.ts';
import { fill, link } from '../site.ts';
import { PostList } from '../writing/posts.tsx';
import { findCollection } from './collection.tsx';

type Data = { collection: Collection; entries: Entry[]; next: string | null };

const ISSUES = 20;

/** The issues of a newsletter that were sent, newest first. */
export default page<Data>({
  path: '/:collection/archive',
  parameters: ['cursor'],
  async load({ site, souk, params, query }) {
    const collection = await findCollection({ souk, params });
    if (collection?.type !== 'NEWSLETTER') return MISSING;
    const { items, cursor } = await souk.entries
      .list({
        collectionId: collection.id,
        onlySent: true,
        limit: ISSUES,
        ...(site.locales.length > 1 && { locale: site.locale }),
      })
      .page(query.get('cursor'));
    const { archive, archiveText } = site.texts.posts;
    return {
      data: { collection, entries: items, next: cursor },
      head: {
        title: `${collection.name}: ${archive}`,
        description: fill(archiveText, { name: collection.name }),
        noindex: query.has('cursor'),
      },
      keys: [`collection:${collection.id}`, 'entries'],
    };
  },
  View({ data: { collection, entries, next }, site }) {
    const { posts } = site.texts;
    const path = `/${collection.slug}`;
    return (
      <main id="main" class="narrow">
        <p class="small">
          <a href={link(site, path)}>{collection.name}</a>
        </p>
        <h1>{posts.archive}</h1>
        <p class="lead">{fill(posts.archiveText, { name: collection.name })}</p>
        {entries.length === 0 ? (
          <p>{posts.noIssues}</p>
        ) : (
          <PostList collection={collection} entries={entries} level={2} />
        )}
        {next && (
          <p class="load-more">
            <a
              href={link(site, `${path}/archive?${new URLSearchParams({ cursor: next })}`)}
              class="button quiet"
              rel="next"
            >
              {posts.older}
            </a>
          </p>
        )}
      </main>
    );
  },
});
