import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/server.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

type HomeOptions = {
  production: boolean;
  site: { show(request: FastifyRequest, reply: FastifyReply, slug: string, path: string): Promise<FastifyReply> };
  /** The slug of the demo shop, or null. */
  findDemo: () => Promise<string | null>;
};

/**
 * `GET /` shows the demo shop if it exists, otherwise a page of links. In production it redirects to the admin. Old URLs
 * under /shop redirect to the demo shop.
 */
export function homeRoutes(app: App, { production, site, findDemo }: HomeOptions): void {
  const hasAdmin = () => app.routeList.some(({ url }) => url === '/admin');

  pageRoutes(app, (pages) => {
    const open = { config: { access: 'public' as const } };
    if (production) {
      pages.get('/', open, (_request, reply) => reply.redirect(hasAdmin() ? '/admin' : '/reference', 302));
      return;
    }
    pages.get('/', open, async (request, reply) => {
      const slug = await findDemo();
      return slug === null ? sendPage(reply, 'Souk', startPage(hasAdmin())) : site.show(request, reply, slug, '');
    });
    for (const path of ['/shop', '/shop/*']) {
      pages.get(path, open, async (request, reply) => {
        const slug = await findDemo();
        const rest = (request.raw.url ?? '')
          .replace(/^\/shop/, '')
          .replace(/^\/search\b/, '/products')
          .replace(/^\/orders\b/, '/account');
        return reply.redirect(slug === null ? '/' : `/s/${slug}${rest}`, 301);
      });
    }
  });
}

const links = (admin: boolean): Html[] => [
  ...(admin ? [html`<a href="/admin">Admin</a>`] : []),
  html`<a href="/dev/mailbox">Mailbox</a>`,
  html`<a href="/reference">API reference</a>`,
];

const startPage = (admin: boolean) => html`<h1>Souk is running</h1>
<p>This database has no demo shop. You can open:</p>
<ul class="list">${links(admin).map((link) => html`<li>${link}</li>`)}</ul>
<p class="quiet small">To create a demo shop here, start with <code>DEMO=1</code> on an empty database.</p>`;
