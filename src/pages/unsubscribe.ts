import Type from 'typebox';
import { findByToken, unsubscribe } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';

const params = Type.Object({ token: Type.String({ maxLength: 500 }) });

/**
 * What the link in a newsletter opens. A GET changes nothing, because scanners follow links too; only a client that asks for
 * JSON alone unsubscribes with it. A POST does: from the page's button, or from a mail program by RFC 8058, which sends
 * `List-Unsubscribe=One-Click` as a form.
 */
export function unsubscribePage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/unsubscribe/:token', { config: { access: 'public' }, schema: { params } }, async (request, reply) => {
      const { token } = request.params;
      if (request.headers.accept?.includes('application/json') && !wantsPage(request)) {
        return command(request, unsubscribe, token);
      }
      if (token === 'example') return sendPage(reply, 'Unsubscribe', EXAMPLE);
      const subscription = await query(request, findByToken, token);
      if (!subscription || subscription.status === 'UNSUBSCRIBED') return sendPage(reply, 'Unsubscribed', DONE);
      return sendPage(
        reply,
        'Unsubscribe',
        html`<h1>Unsubscribe</h1>
<p><strong>${subscription.email}</strong> will no longer get this newsletter.</p>
<form method="post" class="actions"><button type="submit">Unsubscribe</button></form>`,
      );
    });

    pages.post('/unsubscribe/:token', { config: { access: 'public' }, schema: { params } }, async (request, reply) => {
      const answer = await command(request, unsubscribe, request.params.token);
      return wantsPage(request) ? sendPage(reply, 'Unsubscribed', DONE) : answer;
    });
  });
}

const DONE = html`<h1>Unsubscribed</h1>
<p class="notice good" role="status">You will not get this newsletter any more.</p>`;

const EXAMPLE = html`<h1>Unsubscribe</h1>
<p>This mail was a test. In the newsletter itself this link lets the reader unsubscribe.</p>`;
