import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { actOnPlan, type Billing, type PlanView, showPlan } from '../domains/newsletters/index.ts';
import { stepsOf } from '../http/command.ts';
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

/** Where a reader manages a plan that renews. In the sandbox it also plays what a provider would do. */
export function planPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/plan/:token', { config, schema: { params: Params } }, async (request, reply) =>
      sendPlan(reply, await showPlan(stepsOf(request), request.params.token)),
    );

    pages.post('/plan/:token', { config, schema: { params: Params, body: Body } }, async (request, reply) => {
      const { action, paidUntil } = request.body;
      const { view, url } = await actOnPlan(stepsOf(request), {
        ...{ token: request.params.token, action },
        paidUntil: paidUntil === undefined ? null : Number(paidUntil),
      });
      return url ? reply.redirect(url, 303) : sendPlan(reply, view);
    });
  });
}

const GONE = 'This link is not valid any more. Ask for a new one with the link of a newsletter.';
const EVERY = { WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;

function sendPlan(reply: FastifyReply, view: PlanView | null): FastifyReply {
  if (!view) throw new ServiceError('NOT_FOUND', GONE);
  const { billing } = view;
  const price = `${formatMoney(billing.amount, billing.currency)} each ${EVERY[billing.interval]}`;
  const body = html`<h1>Your subscription</h1>
<table><tbody>
<tr><th scope="row">Newsletter</th><td>${view.newsletter}</td></tr>
<tr><th scope="row">Plan</th><td>${view.plan}, ${price}</td></tr>
<tr><th scope="row">Paid until</th><td>${dayOf(billing.paidUntil)}</td></tr>
</tbody></table>
${stateOf(view)}${buttonsOf(view)}${chargesOf(view)}`;
  // The provider's page is somewhere else, and the button leads there by a redirect.
  return sendPage(reply, 'Your subscription', body, { formTargets: billing.provider === 'STRIPE' ? 'https:' : '' });
}

function stateOf({ status, billing, businessName }: PlanView): Html {
  const until = dayOf(billing.paidUntil);
  if (billing.status === 'ENDED') {
    return html`<p class="notice" role="status">This plan has ended. Nothing more is charged.</p>`;
  }
  if (status === 'UNSUBSCRIBED') {
    return html`<p class="notice" role="status">You have unsubscribed. Nothing more is charged.</p>`;
  }
  if (billing.cancelAtPeriodEnd) {
    return html`<p class="notice" role="status">Cancelled. You get every issue until ${until}; then it ends.</p>`;
  }
  if (billing.status === 'PAST_DUE') {
    return html`<p class="notice bad" role="alert">The last payment has failed. ${businessName} sends you no issue until it is paid.</p>`;
  }
  return html`<p class="notice good" role="status">Active. It renews by itself on ${until}.</p>`;
}

function buttonsOf({ status, billing }: PlanView): Html | null {
  if (billing.status === 'ENDED') return null;
  const isSandbox = billing.provider === 'SANDBOX';
  const cancel = billing.cancelAtPeriodEnd
    ? status === 'UNSUBSCRIBED'
      ? null
      : html`<button name="action" value="resume">Renew after all</button>`
    : html`<button name="action" value="cancel" class="danger">Cancel at the end of the period</button>`;
  const portal = isSandbox ? null : html`<button name="action" value="portal">Card and invoices</button>`;
  return html`<form method="post" class="actions">${portal}${cancel}</form>
${isSandbox ? playButtons(billing) : null}`;
}

/** They name the period, so that a second click does not play the next one too. */
const playButtons = ({ cancelAtPeriodEnd, paidUntil }: Billing) => html`<h2>Sandbox</h2>
<p class="quiet small">No money moves here. Play what happens at the end of the period.</p>
<form method="post" class="actions"><input type="hidden" name="paidUntil" value="${paidUntil}">
${
  cancelAtPeriodEnd
    ? html`<button name="action" value="end" class="quiet">Let the period end</button>`
    : html`<button name="action" value="renew" class="quiet">Renew now</button>
<button name="action" value="fail" class="quiet">Let the renewal fail</button>`
}
</form>`;

function chargesOf({ billing: { charges } }: PlanView): Html {
  const rows = charges.map(
    ({ status, amount, currency, createdAt }) => html`<tr><td>${dayOf(createdAt)}</td>
<td>${status === 'PAID' ? 'Paid' : 'Failed'}</td><td class="amount">${formatMoney(amount, currency)}</td></tr>`,
  );
  return html`<h2>Payments</h2><table><thead><tr><th scope="col">Day</th><th scope="col">State</th>
<th scope="col" class="amount">Amount</th></tr></thead><tbody>${rows}</tbody></table>`;
}
