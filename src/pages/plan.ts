import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import {
  type Billing,
  openPlanPortal,
  type PlanView,
  setPlanCancelled,
  showPlan,
  simulatePlanPeriodEnd,
} from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { dayOf } from '../shared/day.ts';
import { ServiceError } from '../shared/errors.ts';
import { formatMoney } from '../shared/money.ts';
import { OneOf } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 500 }) });
const Body = Type.Object({
  action: OneOf(['portal', 'cancel', 'resume', 'renew', 'fail', 'end']),
  paidUntil: Type.Optional(Type.String({ pattern: '^[0-9]{1,12}$' })),
});
const config = { access: 'public' } as const;

/** Where subscribers manage a paid plan. In the sandbox it also simulates the payment provider. */
export function planPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/plan/:token', { config, schema: { params: Params } }, async (request, reply) =>
      sendPlan(reply, await query(request, showPlan, request.params.token)),
    );

    pages.post('/plan/:token', { config, schema: { params: Params, body: Body } }, async (request, reply) => {
      const { token } = request.params;
      const { action, paidUntil } = request.body;
      if (action === 'portal') {
        const url = await query(request, openPlanPortal, token);
        if (url) return reply.redirect(url, 303);
      } else if (action === 'cancel' || action === 'resume') {
        await command(request, setPlanCancelled, { token, isCancelled: action === 'cancel' });
      } else if (paidUntil !== undefined) {
        await command(request, simulatePlanPeriodEnd, { token, outcome: action, paidUntil: Number(paidUntil) });
      }
      return sendPlan(reply, await query(request, showPlan, token));
    });
  });
}

const GONE = 'This link has expired. To get a new one, use the unsubscribe link in a newsletter.';
const EVERY = { WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;

function sendPlan(reply: FastifyReply, view: PlanView | null): FastifyReply {
  if (!view) throw new ServiceError('NOT_FOUND', GONE);
  const { billing } = view;
  const price = `${formatMoney(billing.amount, billing.currency)} per ${EVERY[billing.interval]}`;
  const body = html`<h1>Your subscription</h1>
<table><tbody>
<tr><th scope="row">Newsletter</th><td>${view.newsletter}</td></tr>
<tr><th scope="row">Plan</th><td>${view.plan}, ${price}</td></tr>
<tr><th scope="row">Paid until</th><td>${dayOf(billing.paidUntil)}</td></tr>
</tbody></table>
${stateOf(view)}${buttonsOf(view)}${chargesOf(view)}`;
  // The button redirects to the provider's page.
  return sendPage(reply, 'Your subscription', body, { formTargets: billing.provider === 'STRIPE' ? 'https:' : '' });
}

function stateOf({ status, billing, businessName }: PlanView): Html {
  const until = dayOf(billing.paidUntil);
  if (billing.status === 'ENDED') {
    return html`<p class="notice" role="status">Your plan has ended. You won't be charged again.</p>`;
  }
  if (status === 'UNSUBSCRIBED') {
    return html`<p class="notice" role="status">You unsubscribed. You won't be charged again.</p>`;
  }
  if (billing.cancelAtPeriodEnd) {
    return html`<p class="notice" role="status">Your subscription is canceled. You'll get every issue until ${until}.</p>`;
  }
  if (billing.status === 'PAST_DUE') {
    return html`<p class="notice bad" role="alert">Your last payment failed. You won't get new issues from ${businessName} until the payment goes through.</p>`;
  }
  return html`<p class="notice good" role="status">Your subscription renews on ${until}.</p>`;
}

function buttonsOf({ status, billing, isSimulated }: PlanView): Html | null {
  if (billing.status === 'ENDED') return null;
  const isSandbox = billing.provider === 'SANDBOX';
  const cancel = billing.cancelAtPeriodEnd
    ? status === 'UNSUBSCRIBED'
      ? null
      : html`<button name="action" value="resume">Keep subscription</button>`
    : html`<button name="action" value="cancel" class="danger">Cancel subscription</button>`;
  const portal = isSandbox
    ? null
    : html`<button name="action" value="portal">Manage payment method and invoices</button>`;
  return html`<form method="post" class="actions">${portal}${cancel}</form>
${isSimulated ? sandboxButtons(billing) : null}`;
}

/** The form names the period, so that a second click doesn't simulate the next one too. */
const sandboxButtons = ({ cancelAtPeriodEnd, paidUntil }: Billing) => html`<h2>Sandbox</h2>
<p class="quiet small">You won't be charged. Simulate the end of the billing period.</p>
<form method="post" class="actions"><input type="hidden" name="paidUntil" value="${paidUntil}">
${
  cancelAtPeriodEnd
    ? html`<button name="action" value="end" class="quiet">End period</button>`
    : html`<button name="action" value="renew" class="quiet">Renew now</button>
<button name="action" value="fail" class="quiet">Fail renewal</button>`
}
</form>`;

function chargesOf({ billing: { charges } }: PlanView): Html {
  const rows = charges.map(
    ({ status, amount, currency, createdAt }) => html`<tr><td>${dayOf(createdAt)}</td>
<td>${status === 'PAID' ? 'Paid' : 'Failed'}</td><td class="amount">${formatMoney(amount, currency)}</td></tr>`,
  );
  return html`<h2>Payments</h2><table><thead><tr><th scope="col">Date</th><th scope="col">Status</th>
<th scope="col" class="amount">Amount</th></tr></thead><tbody>${rows}</tbody></table>`;
}
