import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { findByToken, unsubscribe } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { BusinessParams } from '../shared/schemas.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';

const Token = Type.String({ maxLength: 500, description: 'From the link in a mail.' });
const params = Type.Object({ token: Token });
const config = { access: 'public' } as const;

/**
 * What the link in a newsletter opens. A GET changes nothing, because scanners follow links too; only a client that asks for
 * JSON alone unsubscribes with it. A POST does: from the page's button, or from a mail program by RFC 8058, which sends
 * `List-Unsubscribe=One-Click` as a form.
 */
export function unsubscribePage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/unsubscribe/:token', { config, schema: { params } }, (request, reply) =>
      answerGet(request, reply, request.params.token),
    );

    pages.get(
      '/v1/businesses/:businessId/collections/unsubscribe',
      {
        config,
        schema: {
          tags: ['Newsletters'],
          summary: 'Unsubscribe with the token of a newsletter mail',
          description: 'For clients that accept `application/json` and no page. Browsers get a page with a button.',
          params: BusinessParams,
          querystring: Type.Object({ token: Token }),
        },
      },
      (request, reply) => answerGet(request, reply, request.query.token),
    );

    pages.post('/unsubscribe/:token', { config, schema: { params } }, async (request, reply) => {
      const answer = await command(request, unsubscribe, request.params.token);
      return wantsPage(request) ? sendPage(reply, 'Unsubscribed', DONE) : answer;
    });
  });
}

async function answerGet(request: FastifyRequest, reply: FastifyReply, token: string) {
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
<form method="post" action="/unsubscribe/${token}" class="actions"><button type="submit">Unsubscribe</button></form>`,
  );
}

const DONE = html`<h1>Unsubscribed</h1>
<p class="notice good" role="status">You will not get this newsletter any more.</p>`;

const EXAMPLE = html`<h1>Unsubscribe</h1>
<p>This mail was a test. In the newsletter itself this link lets the reader unsubscribe.</p>`;
