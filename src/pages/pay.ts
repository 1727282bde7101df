import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { actOnPayment, type PaymentView, showPayment } from '../domains/payments/index.ts';
import { stepsOf } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import { formatMoney } from '../shared/money.ts';
import { OneOf } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Params = Type.Object({ token: Type.String() });
const Action = Type.Object({
  action: OneOf(['pay', 'decline', 'cancel']),
});

/** Where a customer of the sandbox pays. Also where customers of any provider land who were given no other way back. */
export function payRoutes(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/pay/:token', { config: { access: 'public' }, schema: { params: Params } }, async (request, reply) => {
      const view = await showPayment(stepsOf(request), request.params.token);
      if (!view) throw notFound('Payment');
      return sendPayment(reply, view);
    });

    pages.post(
      '/pay/:token',
      { config: { access: 'public' }, schema: { params: Params, body: Action } },
      async (request, reply) => {
        const { action } = request.body;
        const view = await actOnPayment(stepsOf(request), { token: request.params.token, action });
        if (!view) throw notFound('Payment');
        const wayBack = view.state === 'PAID' ? view.returnUrl : action === 'pay' ? null : view.cancelUrl;
        return wayBack ? reply.redirect(wayBack, 303) : sendPayment(reply, view, action);
      },
    );
  });
}

function sendPayment(reply: FastifyReply, view: PaymentView, action?: string): FastifyReply {
  const { state, isSandbox, businessName } = view;
  if (state === 'PAID') {
    return show(
      reply,
      view,
      'Thank you',
      html`<p class="notice good">Your payment to ${businessName} has arrived.</p>`,
    );
  }
  if (state === 'EXPIRED') {
    const message = html`<p class="notice bad">This payment has ended. Nothing was paid. Begin again in the shop.</p>`;
    return show(reply, view, 'This payment has ended', message, 410);
  }
  if (!isSandbox) {
    return show(reply, view, `Pay ${businessName}`, html`<p class="notice">Your payment has not arrived yet.</p>`);
  }
  const declined =
    action === 'decline' ? html`<p class="notice bad">The payment was declined. You can try again.</p>` : null;
  return show(reply, view, `Pay ${businessName}`, html`${declined}${buttons()}`);
}

function show(reply: FastifyReply, view: PaymentView, title: string, message: Html, status = 200): FastifyReply {
  const wayBack = view.state === 'PAID' ? view.returnUrl : view.cancelUrl;
  const link = wayBack ? html`<p><a href="${wayBack}">Back to the shop</a></p>` : null;
  const body = html`<h1>${title}</h1>${summary(view)}${message}${view.state === 'OPEN' ? null : link}`;
  return sendPage(reply, title, body, { status, formTargets: targets(view) });
}

function summary({ lines, amount, currency }: PaymentView): Html {
  const rows = lines.map(
    ({ name, quantity, unitPrice }) => html`<tr><td>${quantity === 1 ? name : `${quantity} × ${name}`}</td>
<td class="amount">${formatMoney(quantity * unitPrice, currency)}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody>
<tfoot><tr><th scope="row">Total</th><td class="amount">${formatMoney(amount, currency)}</td></tr></tfoot></table>`;
}

const buttons = () => html`<form method="post" class="actions">
<button name="action" value="pay">Pay</button>
<button name="action" value="decline" class="danger">Decline</button>
<button name="action" value="cancel" class="quiet">Cancel</button>
</form>
<p class="quiet small">A sandbox: no money moves. Decline plays a card that is refused.</p>`;

/** The form answers with a redirect, which the browser follows only to where forms may lead. */
function targets({ returnUrl, cancelUrl }: PaymentView): string {
  const origins = [returnUrl, cancelUrl].flatMap((address) => (address ? [new URL(address).origin] : []));
  return [...new Set(origins)].join(' ');
}
