import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { entityTables } from './entity-tables.ts';

const docs = join(import.meta.dirname, '..');

/** Returns the first heading of a page as its title. */
const titleOf = (page: string) =>
  /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8'))?.[1] ?? 'Architecture';
const link = (page: string) => ({ text: titleOf(page), link: `/${page.replace(/index$/, '')}` });
const section = (text: string, ...pages: string[]) => ({ text, collapsed: true, items: pages.map(link) });

const decisions = readdirSync(join(docs, 'decisions'))
  .filter((file) => file !== 'index.md')
  .map((file) => link(`decisions/${file.replace(/\.md$/, '')}`));

export default defineConfig({
  title: 'Souk',
  description: 'Commerce, content and newsletters in one service.',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  cleanUrls: true,
  // Not a page: buildEnd copies it.
  ignoreDeadLinks: [/schema\.sql$/],
  // Pages of wide tables have no outline.
  transformPageData: ({ relativePath, frontmatter }) =>
    relativePath.startsWith('reference/') ? { frontmatter: { ...frontmatter, aside: false } } : undefined,
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Start', link: '/start/' },
      { text: 'Operate', link: '/operate/deploy' },
      { text: 'Reference', link: '/reference/api' },
    ],
    sidebar: [
      { ...section('Start', 'start/index', 'start/tour', 'start/concepts'), collapsed: false },
      section(
        'Run a shop',
        'shop/storefront',
        'shop/products',
        'shop/stock',
        'shop/markets',
        'shop/shipping',
        'shop/taxes',
        'shop/orders',
        'shop/bank-transfer',
        'shop/invoices',
        'shop/emails',
        'shop/refunds',
        'shop/returns',
        'shop/reports',
        'shop/categories',
        'shop/promo-codes',
        'shop/customers',
        'shop/team',
      ),
      section(
        'Publish',
        'publish/collections',
        'publish/entries',
        'publish/drafts',
        'publish/schedule',
        'publish/media',
      ),
      section(
        'Newsletters',
        'newsletters/index',
        'newsletters/subscribers',
        'newsletters/sending',
        'newsletters/elements',
        'newsletters/senders',
        'newsletters/segments',
        'newsletters/forms',
        'newsletters/automations',
        'newsletters/statistics',
        'newsletters/suppressions',
      ),
      section(
        'Build a storefront',
        'storefront/index',
        'storefront/checkout',
        'storefront/sessions',
        'storefront/content',
        'storefront/site',
      ),
      section(
        'Extend',
        'extend/api',
        'extend/events',
        'extend/webhooks',
        'extend/shipping-rates',
        'extend/tax-providers',
        'extend/imports',
      ),
      section(
        'Operate',
        'operate/deploy',
        'operate/configure',
        'operate/database',
        'operate/move',
        'operate/backup',
        'operate/upgrade',
        'operate/scale',
        'operate/citus',
        'operate/monitoring',
        'operate/security',
        'operate/privacy',
      ),
      section(
        'Reference',
        'reference/api',
        'reference/settings',
        'reference/events',
        'reference/permissions',
        'reference/errors',
        'reference/limits',
      ),
      {
        text: 'Internals',
        collapsed: true,
        items: [
          ...[
            'inside/architecture',
            'schema',
            'inside/performance',
            'inside/chaos',
            'inside/comparison',
            'inside/dependencies',
          ].map(link),
          { text: 'Decisions', link: '/decisions/', collapsed: true, items: decisions },
        ],
      },
    ],
  },
  // The search index is larger than the default of 500 kB. It is loaded when someone searches.
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  markdown: {
    config(md) {
      entityTables(md);
      // {{…}} in code is a newsletter variable, not a Vue expression.
      const inlineCode = md.renderer.rules.code_inline!;
      md.renderer.rules.code_inline = (tokens, i, ...rest) => {
        tokens[i]!.attrSet('v-pre', '');
        return inlineCode(tokens, i, ...rest);
      };
      // ARCHITECTURE.md is included from the root of the repository, where links to pages start with docs/.
      const openLink = md.renderer.rules.link_open!;
      md.renderer.rules.link_open = (tokens, i, ...rest) => {
        const href = tokens[i]!.attrGet('href')!;
        if (href.startsWith('docs/')) tokens[i]!.attrSet('href', href.replace('docs', ''));
        return openLink(tokens, i, ...rest);
      };
    },
  },
  buildEnd({ outDir }) {
    for (const file of ['openapi.json', 'schema.sql']) copyFileSync(join(docs, file), join(outDir, file));
  },
});
