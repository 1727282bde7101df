import { type Collection, type Entry, isSoukError } from '@souk/client';
import { Breadcrumbs } from '../breadcrumbs.tsx';
import { MISSING, page, type Site, type Visit } from '../page.ts';
import { articleData, breadcrumbs, type Crumb } from '../seo.ts';
import { type EmbeddedProducts, loadProducts } from '../writing/elements.ts';
import { findNewsletter, Newsletter } from '../writing/newsletter.tsx';
import { Paywall } from '../writing/paywall.tsx';
import {
  coverOf,
  excerptOf,
  isRichBody,
  ownLocale,
  PostBody,
  PostList,
  postPath,
  tagBlock,
  tagsOf,
  textOf,
  titleOf,
} from '../writing/posts.tsx';
import { findCollection } from './collection.tsx';

export type Data = {
  collection: Collection;
  entry: Entry;
  related: Entry[];
  crumbs: Crumb[];
  newsletter: Collection | null;
  products: EmbeddedProducts;
};

const RELATED = 3;

/** By slug, or by ID for entries without a slug. */
export async function findPost({ souk, params }: Pick<Visit, 'souk' | 'params'>, { id: collectionId }: Collection) {
  const slug = params.slug!;
  const [found] = await souk.entries.list({ collectionId, slug, limit: 1 }).take(1);
  if (found || !slug.startsWith('ent_')) return found ?? null;
  const entry = await souk.entries.get(slug).catch((error) => {
    if (isSoukError(error, 'NOT_FOUND')) return null;
    throw error;
  });
  return entry?.owner === `collection:${collectionId}` ? entry : null;
}

/** Posts with the same tags. */
async function listRelated(souk: Visit['souk'], collection: Collection, entry: Entry): Promise<Entry[]> {
  const block = tagBlock(collection);
  const tags = tagsOf(entry);
  if (!block || tags.length === 0) return [];
  const query = { collectionId: collection.id, limit: RELATED + 1, [`filter[${block}]`]: tags };
  const similar = await souk.entries.list(query).take(RELATED + 1);
  return similar.filter(({ id }) => id !== entry.id).slice(0, RELATED);
}

export async function showPost({ site, souk }: Pick<Visit, 'site' | 'souk'>, collection: Collection, entry: Entry) {
  const [related, newsletter, products] = await Promise.all([
    listRelated(souk, collection, entry),
    findNewsletter(souk),
    loadProducts(souk, [textOf(entry, 'body', site)]),
  ]);
  const path = postPath(collection, entry);
  const title = titleOf(entry, site);
  const crumbs = [
    { name: site.texts.site.home, path: '/' },
    { name: collection.name, path: `/${collection.slug}` },
    { name: title, path },
  ];
  return {
    data: { collection, entry, related, crumbs, newsletter, products },
    head: {
      title: entry.seo?.title ?? title,
      description: entry.seo?.description ?? (excerptOf(entry, site) || undefined),
      type: 'article' as const,
      image: coverOf(entry)?.resolutions?.large?.url ?? coverOf(entry)?.url,
      canonical: path,
      locale: ownLocale(entry, site),
      jsonLd: [articleData(site, collection, entry), breadcrumbs(site, crumbs)],
      feeds: [{ title: collection.name, path: `/${collection.slug}/feed.xml` }],
    },
    keys: [
      `entry:${entry.id}`,
      `collection:${collection.id}`,
      ...related.map(({ id }) => `entry:${id}`),
      ...Object.keys(products).map((id) => `product:${id}`),
    ],
  };
}

export function PostView({ data: { newsletter, ...data }, site }: { data: Data; site: Site }) {
  const { collection, entry, related, crumbs, products } = data;
  const planIds = entry.access === 'PLANS' ? (entry.planIds ?? []) : null;
  return (
    <main id="main" class="narrow">
      <Breadcrumbs crumbs={crumbs} />
      <article>
        <PostBody entry={entry} isHtml={isRichBody(collection)} products={products} />
        {entry.locked && <Paywall collection={collection} planIds={planIds} path={postPath(collection, entry)} />}
      </article>
      {related.length > 0 && (
        <section class="more">
          <h2>{site.texts.posts.related}</h2>
          <PostList collection={collection} entries={related} level={3} />
        </section>
      )}
      {!entry.locked && <Newsletter newsletter={newsletter} />}
    </main>
  );
}

export default page<Data>({
  path: '/:collection/:slug',
  async load({ site, souk, params }) {
    const collection = await findCollection({ souk, params });
    const entry = collection && (await findPost({ souk, params }, collection));
    if (!entry) return MISSING;
    const path = postPath(collection, entry);
    // An ID redirects to the URL of the post.
    if (path !== `/${params.collection}/${params.slug}`) return { redirect: path, status: 301 };
    return showPost({ site, souk }, collection, entry);
  },
  View: PostView,
});
