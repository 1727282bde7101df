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
import { notFound } from '../shared/errors.ts';
import { type Language, textsIn } from '../shared/mail/languages.ts';
import { formatMoney } from '../shared/money.ts';
import { OneOf } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';
import { pageTexts } from './texts/index.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 500 }) });
const Body = Type.Object({
  action: OneOf(['portal', 'cancel', 'resume', 'renew', 'fail', 'end']),
  paidUntil: Type.Optional(Type.String({ maxLength: 12, pattern: '^[0-9]{1,12}$' })),
});
const config = { access: 'public' } as const;

/** The page where subscribers manage a paid plan. In the sandbox, it also simulates the payment provider. */
export function planPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
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
    },
    ({ plan }) => ({ NOT_FOUND: plan.expired }),
  );
}

function sendPlan(reply: FastifyReply, view: PlanView | null): FastifyReply {
  if (!view) throw notFound('Plan');
  const { billing, language: lang, timeZone } = view;
  const texts = pageTexts(lang).plan;
  const price = textsIn(lang).newsletter.price[billing.interval](formatMoney(billing.amount, billing.currency, lang));
  const body = html`<h1>${texts.title}</h1>
<table><tbody>
<tr><th scope="row">${texts.newsletter}</th><td>${view.newsletter}</td></tr>
<tr><th scope="row">${texts.plan}</th><td>${view.plan}, ${price}</td></tr>
<tr><th scope="row">${texts.paidUntil}</th><td>${dayOf(billing.paidUntil, lang, timeZone)}</td></tr>
</tbody></table>
${stateOf(view)}${buttonsOf(view)}${chargesOf(view)}`;
  // The button redirects to the provider's page.
  return sendPage(reply, texts.title, body, { lang, formTargets: billing.provider === 'STRIPE' ? 'https:' : '' });
}

function stateOf({ status, billing, businessName, language, timeZone }: PlanView): Html {
  const texts = pageTexts(language).plan;
  const until = dayOf(billing.paidUntil, language, timeZone);
  const notice = (text: string) => html`<p class="notice" role="status">${text}</p>`;
  if (billing.status === 'ENDED') return notice(texts.ended);
  if (status === 'UNSUBSCRIBED') return notice(texts.unsubscribed);
  if (billing.cancelAtPeriodEnd) return notice(texts.canceled(until));
  if (billing.status === 'PAST_DUE') {
    return html`<p class="notice bad" role="alert">${texts.pastDue(businessName)}</p>`;
  }
  return html`<p class="notice good" role="status">${texts.renews(until)}</p>`;
}

function buttonsOf({ status, billing, isSimulated, language }: PlanView): Html | null {
  if (billing.status === 'ENDED') return null;
  const texts = pageTexts(language).plan;
  const isSandbox = billing.provider === 'SANDBOX';
  const cancel = billing.cancelAtPeriodEnd
    ? status === 'UNSUBSCRIBED'
      ? null
      : html`<button name="action" value="resume">${texts.keep}</button>`
    : html`<button name="action" value="cancel" class="danger">${texts.cancel}</button>`;
  const portal = isSandbox ? null : html`<button name="action" value="portal">${texts.manage}</button>`;
  return html`<form method="post" class="actions">${portal}${cancel}</form>
${isSimulated ? sandboxButtons(billing, language) : null}`;
}

/** The form names the period, so that a second click doesn't also simulate the next period. */
function sandboxButtons({ cancelAtPeriodEnd, paidUntil }: Billing, language: Language): Html {
  const texts = pageTexts(language).plan;
  return html`<h2>${texts.sandbox}</h2>
<p class="quiet small">${texts.sandboxText}</p>
<form method="post" class="actions"><input type="hidden" name="paidUntil" value="${paidUntil}">
${
  cancelAtPeriodEnd
    ? html`<button name="action" value="end" class="quiet">${texts.endPeriod}</button>`
    : html`<button name="action" value="renew" class="quiet">${texts.renewNow}</button>
<button name="action" value="fail" class="quiet">${texts.failRenewal}</button>`
}
</form>`;
}

function chargesOf({ billing: { charges }, language, timeZone }: PlanView): Html {
  const texts = pageTexts(language).plan;
  const rows = charges.map(
    ({ status, amount, currency, createdAt }) => html`<tr><td>${dayOf(createdAt, language, timeZone)}</td>
<td>${status === 'PAID' ? texts.paid : texts.failed}</td><td class="amount">${formatMoney(amount, currency, language)}</td></tr>`,
  );
  return html`<h2>${texts.payments}</h2><table><thead><tr><th scope="col">${texts.date}</th><th scope="col">${texts.status}</th>
<th scope="col" class="amount">${texts.amount}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
