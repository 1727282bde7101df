import Type from 'typebox';
import { confirmSubscription, findConfirmation } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';

const params = Type.Object({ token: Type.String({ maxLength: 4000 }) });
const config = { access: 'public' } as const;

/** The page behind the link in a double opt-in email. Only the button confirms, never a GET. */
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
<form method="post" class="actions"><button type="submit">Subscribe</button></form>
<p class="quiet small">If you didn't sign up, close this page. You won't get any emails.</p>`,
      );
    });

    pages.post('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
      const response = await command(request, confirmSubscription, request.params.token);
      return wantsPage(request) ? sendPage(reply, 'Subscribed', DONE) : response;
    });
  });
}

const DONE = html`<h1>You're subscribed</h1>
<p class="notice good" role="status">You'll get the next issue by email.</p>`;
