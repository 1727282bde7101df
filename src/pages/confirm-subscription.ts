import Type from 'typebox';
import { confirmSubscription, findConfirmation } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';

const params = Type.Object({ token: Type.String({ maxLength: 2000 }) });
const config = { access: 'public' } as const;

/** What the link of a mail opens that asks whether somebody wants a newsletter. Only the button says yes, never a GET. */
export function confirmSubscriptionPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
      const { text } = await query(request, findConfirmation, request.params.token);
      if (text === null) return sendPage(reply, 'Subscribed', DONE);
      return sendPage(
        reply,
        'Confirm your subscription',
        html`<h1>Confirm your subscription</h1>
<p>${text}</p>
<form method="post" class="actions"><button type="submit">Yes, subscribe me</button></form>
<p class="quiet small">If you did not ask for it, close this page. Nothing is sent to you.</p>`,
      );
    });

    pages.post('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
      const answer = await command(request, confirmSubscription, request.params.token);
      return wantsPage(request) ? sendPage(reply, 'Subscribed', DONE) : answer;
    });
  });
}

const DONE = html`<h1>You are subscribed</h1>
<p class="notice good" role="status">The next issue comes to you by mail.</p>`;
