import { MISSING, page } from '../page.ts';
import { postPath } from '../writing/posts.tsx';
import { findCollection } from './collection.tsx';
import { type Data, findPost, PostView, showPost } from './post.tsx';

/** A post with the visitor's own access. The page at the usual URL is the same for everyone. */
export default page<Data>({
  path: '/:collection/:slug/full',
  personal: true,
  async load({ site, souk, params, session }) {
    const collection = await findCollection({ souk, params });
    const entry = collection && (await findPost({ souk, params }, collection));
    if (!entry) return MISSING;
    const path = postPath(collection, entry);
    if (entry.locked && (!session?.accessToken || session.isGuest)) {
      return { redirect: `/login?next=${encodeURIComponent(`${path}/full`)}`, status: 303 };
    }
    const shown = await showPost({ site, souk }, collection, entry);
    return { ...shown, head: { ...shown.head, noindex: true } };
  },
  View: PostView,
});
