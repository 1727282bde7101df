import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { actOnPayment, type PaymentView, showPayment } from '../domains/payments/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import { formatMoney } from '../shared/money.ts';
import { OneOf } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Params = Type.Object({ token: Type.String() });
const Action = Type.Object({
  action: OneOf(['pay', 'decline', 'cancel']),
});

/** The sandbox's payment page. With any provider, also the return page for checkouts without a return URL. */
export function payRoutes(app: App): void {
  pageRoutes(app, (pages) => {
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
  });
}

function sendPayment(reply: FastifyReply, view: PaymentView, action?: string): FastifyReply {
  const { state, isSandbox, businessName } = view;
  if (state === 'PAID') {
    return show(
      reply,
      view,
      'Payment received',
      html`<p class="notice good">${businessName} received your payment.</p>`,
    );
  }
  if (state === 'EXPIRED') {
    const message = html`<p class="notice bad">You weren't charged. Go back to the shop to try again.</p>`;
    return show(reply, view, 'Payment expired', message, 410);
  }
  if (!isSandbox) {
    return show(reply, view, `Pay ${businessName}`, html`<p class="notice">We haven't received your payment yet.</p>`);
  }
  const declined = action === 'decline' ? html`<p class="notice bad">Your payment was declined. Try again.</p>` : null;
  return show(reply, view, `Pay ${businessName}`, html`${declined}${buttons()}`);
}

function show(reply: FastifyReply, view: PaymentView, title: string, message: Html, status = 200): FastifyReply {
  const backUrl = view.state === 'PAID' ? view.returnUrl : view.cancelUrl;
  const link = backUrl ? html`<p><a href="${backUrl}">Back to shop</a></p>` : null;
  const body = html`<h1>${title}</h1>${summary(view)}${message}${view.state === 'OPEN' ? null : link}`;
  return sendPage(reply, title, body, { status, formTargets: targets(view) });
}

function summary({ lines, amount, currency }: PaymentView): Html {
  const rows = lines.map(
    ({ name, quantity, unitPrice }) => html`<tr><td>${quantity === 1 ? name : `${quantity} × ${name}`}</td>
<td class="amount">${formatMoney(quantity * unitPrice, currency)}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody>
<tfoot><tr class="total"><th scope="row">Total</th><td class="amount">${formatMoney(amount, currency)}</td></tr></tfoot></table>`;
}

const buttons = () => html`<form method="post" class="actions">
<button name="action" value="pay">Pay</button>
<button name="action" value="decline" class="danger">Decline</button>
<button name="action" value="cancel" class="quiet">Cancel</button>
</form>
<p class="quiet small">This is a sandbox, so you won't be charged. Select Decline to simulate a declined card.</p>`;

/** The response to the form is a redirect, which browsers follow only to allowed form targets. */
function targets({ returnUrl, cancelUrl }: PaymentView): string {
  const origins = [returnUrl, cancelUrl].flatMap((address) => (address ? [new URL(address).origin] : []));
  return [...new Set(origins)].join(' ');
}
