import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type Billing,
  cancelByToken,
  findBillingByToken,
  findByToken,
  mailPlanLink,
  unsubscribe,
} from '../domains/newsletters/index.ts';
import { command, query, stepsOf } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { dayOf } from '../shared/day.ts';
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
      const { token } = request.params;
      const { action } = (request.body ?? {}) as { action?: unknown };
      if (action === 'cancel') return sendCancelled(reply, await cancelByToken(stepsOf(request), token));
      if (action === 'manage') {
        await mailPlanLink(stepsOf(request), token);
        return sendPage(reply, 'Look into your mail', MAILED);
      }
      const answer = await command(request, unsubscribe, token);
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
  const billing = await query(request, findBillingByToken, token);
  if (billing) return sendPage(reply, 'Unsubscribe', paidPage(token, subscription.email, billing));
  return sendPage(
    reply,
    'Unsubscribe',
    html`<h1>Unsubscribe</h1>
<p><strong>${subscription.email}</strong> will no longer get this newsletter.</p>
<form method="post" action="/unsubscribe/${token}" class="actions"><button type="submit">Unsubscribe</button></form>`,
  );
}

/** A newsletter is passed on: whoever opens this learns that it is paid for, and until when, and no more. */
const paidPage = (token: string, email: string, { paidUntil, cancelAtPeriodEnd: isCancelled }: Billing) => html`
<h1>${isCancelled ? 'Unsubscribe' : 'Cancel or unsubscribe'}</h1>
<p><strong>${email}</strong> has paid for this newsletter until ${dayOf(paidUntil)}.</p>
${isCancelled ? html`<p class="notice" role="status">It is cancelled, and ends then.</p>` : null}
<form method="post" action="/unsubscribe/${token}" class="actions">
${isCancelled ? null : html`<button name="action" value="cancel">Cancel on ${dayOf(paidUntil)}</button>`}
<button name="action" value="unsubscribe" class="danger">Unsubscribe now</button>
<button name="action" value="manage" class="quiet">Mail me the page of my plan</button>
</form>
<p class="quiet small">${
  isCancelled
    ? 'Nothing more is charged. Unless you unsubscribe, you get every issue until then.'
    : 'Either way nothing more is charged. Who cancels gets every issue until the paid time is over.'
}</p>`;

function sendCancelled(reply: FastifyReply, cancelled: { paidUntil: number } | null): FastifyReply {
  if (!cancelled) return sendPage(reply, 'Nothing to cancel', NOTHING);
  return sendPage(
    reply,
    'Cancelled',
    html`<h1>Cancelled</h1>
<p class="notice good" role="status">You get every issue until ${dayOf(cancelled.paidUntil)}. Nothing more is charged.</p>`,
  );
}

const NOTHING = html`<h1>Nothing to cancel</h1><p>No payment renews here.</p>`;

const MAILED = html`<h1>Look into your mail</h1>
<p class="notice good" role="status">The link to the page of your plan is on its way to you.</p>`;

const DONE = html`<h1>Unsubscribed</h1>
<p class="notice good" role="status">You will not get this newsletter any more.</p>`;

const EXAMPLE = html`<h1>Unsubscribe</h1>
<p>This mail was a test. In the newsletter itself this link lets the reader unsubscribe.</p>`;
