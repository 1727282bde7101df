import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type Billing,
  cancelByToken,
  findBillingByToken,
  findByToken,
  mailPlanLink,
  setTracking,
  unsubscribe,
} from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { dayOf } from '../shared/day.ts';
import { BusinessParams, Success } from '../shared/schemas.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';

const Token = Type.String({ maxLength: 500, description: 'The token from the link in an email.' });
const params = Type.Object({ token: Token });
const config = { access: 'public' } as const;

/**
 * The page behind the unsubscribe link in a newsletter. A GET changes nothing unless the client
 * accepts only JSON, because mail scanners also follow links. A POST unsubscribes: from the page's button, or from a mail client through RFC 8058, which
 * sends `List-Unsubscribe=One-Click` as a form.
 */
export function unsubscribePage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/unsubscribe/:token', { config, schema: { params } }, (request, reply) =>
      handleGet(request, reply, request.params.token),
    );

    pages.get(
      '/v1/businesses/:businessId/collections/unsubscribe',
      {
        config,
        schema: {
          tags: ['Newsletters'],
          summary: 'Unsubscribe with the token from a newsletter',
          description:
            'Unsubscribes immediately if the client accepts `application/json` but not `text/html`. Browsers get a page with a button.',
          params: BusinessParams,
          querystring: Type.Object({ token: Token }),
          response: { 200: Success },
        },
      },
      (request, reply) => handleGet(request, reply, request.query.token),
    );

    pages.post('/unsubscribe/:token', { config, schema: { params } }, async (request, reply) => {
      const { token } = request.params;
      const { action } = (request.body ?? {}) as { action?: unknown };
      if (action === 'cancel') return sendCancelled(reply, await command(request, cancelByToken, token));
      if (action === 'track' || action === 'do-not-track') {
        await command(request, setTracking, { token, doNotTrack: action === 'do-not-track' });
        return sendPage(reply, 'Tracking', action === 'track' ? TRACKED : NOT_TRACKED);
      }
      if (action === 'manage') {
        await command(request, mailPlanLink, token);
        return sendPage(reply, 'Check your inbox', MAILED);
      }
      const response = await command(request, unsubscribe, token);
      return wantsPage(request) ? sendPage(reply, 'Unsubscribed', DONE) : response;
    });
  });
}

async function handleGet(request: FastifyRequest, reply: FastifyReply, token: string) {
  if (request.headers.accept?.includes('application/json') && !wantsPage(request)) {
    return command(request, unsubscribe, token);
  }
  if (token === 'example') return sendPage(reply, 'Unsubscribe', EXAMPLE);
  const subscription = await query(request, findByToken, token);
  if (!subscription || subscription.status === 'UNSUBSCRIBED') return sendPage(reply, 'Unsubscribed', DONE);
  const billing = await query(request, findBillingByToken, token);
  if (billing)
    return sendPage(
      reply,
      'Unsubscribe',
      html`${paidPage(token, subscription.email, billing)}${trackingForm(token, subscription.doNotTrack)}`,
    );
  return sendPage(
    reply,
    'Unsubscribe',
    html`<h1>Unsubscribe</h1>
<p><strong>${subscription.email}</strong> will no longer get this newsletter.</p>
<form method="post" action="/unsubscribe/${token}" class="actions"><button type="submit">Unsubscribe</button></form>
${trackingForm(token, subscription.doNotTrack)}`,
  );
}

/** Subscribers who opted out only count in totals. */
const trackingForm = (token: string, isOff: boolean) => html`
<hr><h2>Tracking</h2>
<p>${
  isOff
    ? 'Tracking is off. Your opens and clicks only count in totals.'
    : 'If a newsletter tracks opens and clicks, we store whether you opened it and clicked on its links. You can turn this off.'
}</p>
<form method="post" action="/unsubscribe/${token}" class="actions">
<button name="action" value="${isOff ? 'track' : 'do-not-track'}" class="quiet">Turn ${isOff ? 'on' : 'off'} tracking</button>
</form>`;

/** A newsletter may be forwarded, so this page shows only that the plan is paid and when it ends. */
const paidPage = (token: string, email: string, { paidUntil, cancelAtPeriodEnd: isCancelled }: Billing) => html`
<h1>${isCancelled ? 'Unsubscribe' : 'Cancel or unsubscribe'}</h1>
<p><strong>${email}</strong> is subscribed to a paid plan until ${dayOf(paidUntil)}.</p>
${isCancelled ? html`<p class="notice" role="status">The plan is canceled and won't renew.</p>` : null}
<form method="post" action="/unsubscribe/${token}" class="actions">
${isCancelled ? null : html`<button name="action" value="cancel">Cancel on ${dayOf(paidUntil)}</button>`}
<button name="action" value="unsubscribe" class="danger">Unsubscribe now</button>
<button name="action" value="manage" class="quiet">Email me a link to my plan</button>
</form>
<p class="quiet small">${
  isCancelled
    ? "You won't be charged again. You'll get every issue until the plan ends, unless you unsubscribe now."
    : "Either way, you won't be charged again. If you cancel, you'll get every issue until the plan ends."
}</p>`;

function sendCancelled(reply: FastifyReply, cancelled: { paidUntil: number } | null): FastifyReply {
  if (!cancelled) return sendPage(reply, 'Nothing to cancel', NOTHING);
  return sendPage(
    reply,
    'Subscription canceled',
    html`<h1>Subscription canceled</h1>
<p class="notice good" role="status">You'll get every issue until ${dayOf(cancelled.paidUntil)}. You won't be charged again.</p>`,
  );
}

const NOTHING = html`<h1>Nothing to cancel</h1><p>You don't have a plan that renews.</p>`;

const MAILED = html`<h1>Check your inbox</h1>
<p class="notice good" role="status">We sent you an email with a link to your plan.</p>`;

const TRACKED = html`<h1>Tracking is on</h1>
<p class="notice good" role="status">We store whether you open this newsletter and click on its links.</p>`;

const NOT_TRACKED = html`<h1>Tracking is off</h1>
<p class="notice good" role="status">We no longer store whether you open this newsletter or click on its links.</p>`;

const DONE = html`<h1>Unsubscribed</h1>
<p class="notice good" role="status">You'll no longer get this newsletter.</p>`;

const EXAMPLE = html`<h1>Unsubscribe</h1>
<p>This was a test email. In the newsletter, this link lets subscribers unsubscribe.</p>`;
