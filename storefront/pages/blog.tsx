import type { Entry } from '@souk/client';
import { useLoad } from '../load.ts';
import { Problem, Title } from '../parts.tsx';
import { souk } from '../shop.ts';

/** A block's value; of texts in several languages the English one, or the first. */
function blockOf({ blocks }: Entry, id: string): string {
  const value = blocks.find((block) => block.id === id)?.value;
  return typeof value === 'object' && value !== null
    ? ((value as Record<string, string>).en ?? Object.values(value)[0] ?? '')
    : String(value ?? '');
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
      {data?.entries.length === 0 && <p>Nothing has been written yet.</p>}
      <ul class="posts">
        {data?.entries.map((entry) => (
          <li key={entry.id}>
            <p class="eyebrow">{blockOf(entry, 'category')}</p>
            <h2>
              <a href={`/shop/blog/${entry.id}`}>{blockOf(entry, 'title')}</a>
            </h2>
            {blockOf(entry, 'minutes') && <p class="quiet small">{blockOf(entry, 'minutes')} minutes to read</p>}
          </li>
        ))}
      </ul>
    </main>
  );
}

export function PostPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad((signal) => souk.entries.get(id, { signal }), [id]);
  return (
    <main id="main" class="narrow">
      <p>
        <a href="/shop/blog">All posts</a>
      </p>
      <Title text={data ? blockOf(data, 'title') : 'One moment'} />
      <Problem error={error} retry={reload} />
      {/* The service has cleaned the HTML when it was written: only harmless elements are left. */}
      {data && <div class="post" dangerouslySetInnerHTML={{ __html: blockOf(data, 'body') }} />}
    </main>
  );
}
