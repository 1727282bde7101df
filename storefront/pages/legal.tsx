import { plainText } from '../markup.ts';
import { MISSING, page } from '../page.ts';
import { breadcrumbs } from '../seo.ts';
import { localText } from '../site.ts';

const NAMES = ['terms', 'privacy', 'imprint', 'withdrawal', 'shipping'] as const;
type Data = { title: string; html: string };

/** Legal pages from the settings. Their HTML was sanitized when it was saved. */
export default page<Data>({
  path: '/pages/:name',
  async load({ site, params }) {
    const name = NAMES.find((each) => each === params.name);
    const html = name && localText(site.config.legal?.[name], site);
    if (!name || !html) return MISSING;
    const title = site.texts.legal[name];
    const crumbs = [
      { name: site.texts.site.home, path: '/' },
      { name: title, path: `/pages/${name}` },
    ];
    const head = { title, description: plainText(html), jsonLd: [breadcrumbs(site, crumbs)] };
    return { data: { title, html }, head };
  },
  View: ({ data }) => (
    <main id="main" class="narrow">
      <h1>{data.title}</h1>
      <div class="text" dangerouslySetInnerHTML={{ __html: data.html }} />
    </main>
  ),
});
