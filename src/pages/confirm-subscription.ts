import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { confirmSubscription, findConfirmation, payToConfirm } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { formatMoney } from '../shared/money.ts';
import { type Html, html, pageRoutes, sendPage, wantsPage } from './page.ts';

const params = Type.Object({ token: Type.String({ maxLength: 4000 }) });
const querystring = Type.Object({ paid: Type.Optional(Type.Literal('true')) });
const config = { access: 'public' } as const;

/**
 * The page behind the link in a double opt-in email. Only the button confirms, never a GET. With a paid plan, the button opens the
 * payment page, and the payment confirms.
 */
export function confirmSubscriptionPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/confirm-subscription/:token', { config, schema: { params, querystring } }, async (request, reply) => {
      const { text, plan } = await query(request, findConfirmation, request.params.token);
      if (text === null) return sendPage(reply, 'Subscribed', DONE);
      if (plan && request.query.paid) return sendForm(reply, WAITING);
      const button = html`<form method="post" class="actions"><button type="submit">${plan ? 'Pay and subscribe' : 'Subscribe'}</button></form>`;
      const content = html`<p>${text}</p>${plan ? priceOf(plan) : null}${button}${NOT_YOU}`;
      // The button redirects to the provider's page.
      return sendForm(reply, content, plan ? 'https:' : '');
    });

    pages.post('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
      const url = await command(request, payToConfirm, request.params.token);
      if (url) return reply.redirect(url, 303);
      const response = await command(request, confirmSubscription, request.params.token);
      return wantsPage(request) ? sendPage(reply, 'Subscribed', DONE) : response;
    });
  });
}

const TITLE = 'Confirm your subscription';

const sendForm = (reply: FastifyReply, content: Html, formTargets = '') =>
  sendPage(reply, TITLE, html`<h1>${TITLE}</h1>${content}`, { formTargets });

type Plan = NonNullable<Awaited<ReturnType<typeof findConfirmation>>['plan']>;

const PER: Record<string, string> = { WEEKLY: ' per week', MONTHLY: ' per month', YEARLY: ' per year' };

function priceOf({ name, price }: Plan): Html {
  const { amount, currency, interval } = price!;
  return html`<table><tbody><tr><th scope="row">${name}</th>
<td class="amount">${formatMoney(amount, currency)}${PER[interval ?? ''] ?? ''}</td></tr></tbody></table>
<p class="quiet small">Your payment confirms your subscription.</p>`;
}

const NOT_YOU = html`<p class="quiet small">If you didn't sign up, close this page. You won't get any emails.</p>`;

const WAITING = html`<p class="notice" role="status">We haven't received your payment yet. Reload this page in a minute.</p>
<p><a href="?">Back to the payment</a></p>`;

const DONE = html`<h1>You're subscribed</h1>
<p class="notice good" role="status">You'll get the next issue by email.</p>`;
