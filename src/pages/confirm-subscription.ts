import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import {
  type ConfirmationView,
  confirmSubscription,
  findConfirmation,
  payToConfirm,
} from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { type Language, textsIn } from '../shared/mail/languages.ts';
import { formatMoney } from '../shared/money.ts';
import { Success } from '../shared/schemas.ts';
import { done } from './form.ts';
import { type Html, html, pageRoutes, sendPage, wantsPage } from './page.ts';
import { pageTexts } from './texts/index.ts';

const params = Type.Object({ token: Type.String({ maxLength: 4000 }) });
const querystring = Type.Object({ paid: Type.Optional(Type.Literal('true')) });
const config = { access: 'public' } as const;

/**
 * The page that the link in a double opt-in email opens. Only the button confirms, never a GET. With a paid plan, the button opens the
 * payment page, and the payment confirms.
 */
export function confirmSubscriptionPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/confirm-subscription/:token', { config, schema: { params, querystring } }, async (request, reply) => {
        const view = await query(request, findConfirmation, request.params.token);
        const { text, plan, language: lang } = view;
        if (text === null) return sendConfirmation(reply, lang);
        const { title } = pageTexts(lang).confirmSubscription;
        const body = plan && request.query.paid ? waiting(lang) : form(view);
        // The button redirects to the provider's page.
        return sendPage(reply, title, html`<h1>${title}</h1>${body}`, { lang, formTargets: plan ? 'https:' : '' });
      });

      pages.post(
        '/confirm-subscription/:token',
        { config, schema: { params, response: { 200: Success } } },
        async (request, reply) => {
          const { token } = request.params;
          const url = await command(request, payToConfirm, token);
          if (url) return reply.redirect(url, 303);
          const response = await command(request, confirmSubscription, token);
          return wantsPage(request)
            ? sendConfirmation(reply, (await query(request, findConfirmation, token)).language)
            : response;
        },
      );
    },
    ({ confirmSubscription: { invalid, expired } }) => ({ INVALID_VALUE: invalid, EXPIRED: expired }),
  );
}

function form({ text, plan, language }: ConfirmationView): Html {
  const { button, payButton, note } = pageTexts(language).confirmSubscription;
  return html`<p>${text}</p>
${plan ? priceOf(plan, language) : null}
<form method="post" class="actions"><button type="submit">${plan ? payButton : button}</button></form>
<p class="quiet small">${note}</p>`;
}

function priceOf({ name, price }: NonNullable<ConfirmationView['plan']>, language: Language): Html {
  const { price: prices } = textsIn(language).newsletter;
  const { amount, currency, interval } = price!;
  const money = formatMoney(amount, currency, language);
  const shown = interval && interval in prices ? prices[interval as keyof typeof prices](money) : money;
  return html`<table><tbody><tr><th scope="row">${name}</th><td class="amount">${shown}</td></tr></tbody></table>
<p class="quiet small">${pageTexts(language).confirmSubscription.payNote}</p>`;
}

function waiting(language: Language): Html {
  const { waiting: text, backToPayment } = pageTexts(language).confirmSubscription;
  return html`<p class="notice" role="status">${text}</p>
<p><a href="?">${backToPayment}</a></p>`;
}

function sendConfirmation(reply: FastifyReply, lang: Language): FastifyReply {
  const texts = pageTexts(lang).confirmSubscription;
  return sendPage(reply, texts.done, done(texts.done, texts.doneText), { lang });
}
