import { type Entry, isSoukError } from '@souk/client';
import { useLoad } from '../load.ts';
import { Empty, Problem, Title } from '../parts.tsx';
import { souk } from '../shop.ts';

/** A block's value, in the entry's own language if the text is translated. */
function blockOf({ blocks, locale }: Entry, id: string): string {
  const block = blocks.find((each) => each.id === id);
  if (block?.type !== 'TEXT' || typeof block.value === 'string') return String(block?.value ?? '');
  return block.value?.[locale] ?? Object.values(block.value ?? {})[0] ?? '';
}

export function BlogPage() {
  const { data, error, reload } = useLoad(async (signal) => {
    const [blog] = await souk.collections.list({ slug: 'blog' }, { signal }).take(1);
    if (!blog) return { description: '', entries: [] };
    const entries = await souk.entries.list({ collectionId: blog.id }, { signal }).take(20);
    return { description: blog.description, entries };
  }, []);
  return (
    <main id="main" class="narrow">
      <Title text="Blog" />
      <p class="lead">{data?.description}</p>
      <Problem error={error} retry={reload} />
      {data?.entries.length === 0 && <p>No posts yet</p>}
      <ul class="posts">
        {data?.entries.map((entry) => (
          <li key={entry.id}>
            <p class="eyebrow">{blockOf(entry, 'category')}</p>
            <h2>
              <a href={`/shop/blog/${entry.id}`}>{blockOf(entry, 'title')}</a>
            </h2>
            {blockOf(entry, 'minutes') && <p class="quiet small">{blockOf(entry, 'minutes')} min read</p>}
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Only the schema of the collection says whether a text is HTML. */
async function readPost(id: string, signal: AbortSignal): Promise<{ entry: Entry; isHtml: boolean }> {
  const entry = await souk.entries.get(id, { signal });
  const { blocks } = await souk.collections.get(entry.owner.slice('collection:'.length), { signal });
  const body = blocks.find((block) => block.id === 'body');
  return { entry, isHtml: body?.settings?.variant === 'HTML' };
}

export function PostPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => readPost(id, signal), [id]);
  if (isSoukError(error, 'NOT_FOUND')) {
    return (
      <Empty
        title="Post not found"
        text="Check the URL. The post may have been moved or deleted."
        href="/shop/blog"
        link="All posts"
      />
    );
  }
  return (
    <main id="main" class="narrow">
      <p>
        <a href="/shop/blog">All posts</a>
      </p>
      <Title text={data ? blockOf(data.entry, 'title') : 'Loading…'} />
      <Problem error={error} retry={reload} />
      {/* The API sanitizes HTML when an entry is saved. */}
      {data?.isHtml && <div class="post" dangerouslySetInnerHTML={{ __html: blockOf(data.entry, 'body') }} />}
      {data && !data.isHtml && <div class="post plain">{blockOf(data.entry, 'body')}</div>}
    </main>
  );
}
