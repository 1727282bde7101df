import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { actOnPayment, type PaymentView, showPayment } from '../domains/payments/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import type { Language } from '../shared/mail/languages.ts';
import { formatMoney } from '../shared/money.ts';
import { OneOf } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';
import { pageTexts } from './texts/index.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 512 }) });
const Action = Type.Object({
  action: OneOf(['pay', 'decline', 'cancel']),
});

/** The sandbox's payment page. With any provider, also the return page for checkouts without a return URL. */
export function payRoutes(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/pay/:token', { config: { access: 'public' }, schema: { params: Params } }, async (request, reply) => {
        const view = await query(request, showPayment, request.params.token);
        if (!view) throw notFound('Payment');
        return sendPayment(reply, view);
      });

      pages.post(
        '/pay/:token',
        { config: { access: 'public' }, schema: { params: Params, body: Action } },
        async (request, reply) => {
          const { action } = request.body;
          const view = await command(request, actOnPayment, { token: request.params.token, action });
          if (!view) throw notFound('Payment');
          const backUrl = view.state === 'PAID' ? view.returnUrl : action === 'pay' ? null : view.cancelUrl;
          return backUrl ? reply.redirect(backUrl, 303) : sendPayment(reply, view, action);
        },
      );
    },
    ({ pay }) => ({ NOT_FOUND: pay.notFound }),
  );
}

function sendPayment(reply: FastifyReply, view: PaymentView, action?: string): FastifyReply {
  const { state, isSandbox, businessName, language } = view;
  const texts = pageTexts(language).pay;
  if (state === 'PAID') {
    const message = html`<p class="notice good">${texts.receivedText(businessName)}</p>`;
    return show(reply, view, texts.received, message);
  }
  if (state === 'EXPIRED') {
    return show(reply, view, texts.expired, html`<p class="notice bad">${texts.expiredText}</p>`, 410);
  }
  const title = texts.title(businessName);
  if (!isSandbox) return show(reply, view, title, html`<p class="notice">${texts.open}</p>`);
  const declined = action === 'decline' ? html`<p class="notice bad">${texts.declined}</p>` : null;
  return show(reply, view, title, html`${declined}${buttons(language)}`);
}

function show(reply: FastifyReply, view: PaymentView, title: string, message: Html, status = 200): FastifyReply {
  const backUrl = view.state === 'PAID' ? view.returnUrl : view.cancelUrl;
  const link = backUrl ? html`<p><a href="${backUrl}">${pageTexts(view.language).pay.back}</a></p>` : null;
  const body = html`<h1>${title}</h1>${summary(view)}${message}${view.state === 'OPEN' ? null : link}`;
  return sendPage(reply, title, body, { status, lang: view.language, formTargets: targets(view) });
}

function summary({ lines, amount, currency, language }: PaymentView): Html {
  const money = (minor: number) => formatMoney(minor, currency, language);
  const rows = lines.map(
    ({ name, quantity, unitPrice }) => html`<tr><td>${quantity === 1 ? name : `${quantity} × ${name}`}</td>
<td class="amount">${money(quantity * unitPrice)}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody>
<tfoot><tr class="total"><th scope="row">${pageTexts(language).pay.total}</th><td class="amount">${money(amount)}</td></tr></tfoot></table>`;
}

function buttons(language: Language): Html {
  const texts = pageTexts(language).pay;
  return html`<form method="post" class="actions">
<button name="action" value="pay">${texts.pay}</button>
<button name="action" value="decline" class="danger">${texts.decline}</button>
<button name="action" value="cancel" class="quiet">${texts.cancel}</button>
</form>
<p class="quiet small">${texts.sandbox}</p>`;
}

/** The response to the form is a redirect, which browsers follow only to allowed form targets. */
function targets({ returnUrl, cancelUrl }: PaymentView): string {
  const origins = [returnUrl, cancelUrl].flatMap((address) => (address ? [new URL(address).origin] : []));
  return [...new Set(origins)].join(' ');
}
