import type { FastifyReply } from 'fastify';
import type { Bundles } from '../bundles/index.ts';
import type { App } from '../http/server.ts';
import { sendApp } from './app-page.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

type HomeOptions = {
  production: boolean;
  bundles: Bundles;
  publicUrl: () => string;
  /** The business of the demo shop, or null. */
  findDemo: () => Promise<string | null>;
};

/**
 * `GET /` shows the demo shop if it exists, otherwise a page of links. In production it redirects to the admin. The shop's own
 * pages are under /shop, where its script picks the page.
 */
export function homeRoutes(app: App, { production, bundles, publicUrl, findDemo }: HomeOptions): void {
  const hasAdmin = () => app.routeList.some(({ url }) => url === '/admin');

  async function sendHome(reply: FastifyReply): Promise<FastifyReply> {
    const businessId = await findDemo();
    if (businessId === null) return sendPage(reply, 'Souk', startPage(hasAdmin()));
    return sendApp(reply, {
      title: 'Demo shop',
      bundle: await bundles.get('storefront'),
      data: { business: businessId },
      bar: startBar(hasAdmin()),
      skipLink: true,
      reloads: bundles.onChange !== null,
      publicUrl: publicUrl(),
    });
  }

  pageRoutes(app, (pages) => {
    const open = { config: { access: 'public' as const } };
    if (production) {
      pages.get('/', open, (_request, reply) => reply.redirect(hasAdmin() ? '/admin' : '/reference', 302));
      return;
    }
    for (const path of ['/', '/shop', '/shop/*']) pages.get(path, open, (_request, reply) => sendHome(reply));
  });
}

const links = (admin: boolean): Html[] => [
  ...(admin ? [html`<a href="/admin">Admin</a>`] : []),
  html`<a href="/dev/mailbox">Mailbox</a>`,
  html`<a href="/reference">API reference</a>`,
];

const startBar = (admin: boolean) => html`<nav class="start-bar" aria-label="Souk">
<p><strong>Souk</strong> <span>This is a demo shop. You won't be charged.</span></p>
<ul>${links(admin).map((link) => html`<li>${link}</li>`)}</ul>
</nav>
`;

const startPage = (admin: boolean) => html`<h1>Souk is running</h1>
<p>This database has no demo shop. You can open:</p>
<ul class="list">${links(admin).map((link) => html`<li>${link}</li>`)}</ul>
<p class="quiet small">To create a demo shop here, start with <code>DEMO=1</code> on an empty database.</p>`;
