import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { confirmSubscription, findConfirmation } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import type { Language } from '../shared/mail/languages.ts';
import { done } from './form.ts';
import { html, pageRoutes, sendPage, wantsPage } from './page.ts';
import { pageTexts } from './texts/index.ts';

const params = Type.Object({ token: Type.String({ maxLength: 4000 }) });
const config = { access: 'public' } as const;

/** The page behind the link in a double opt-in email. Only the button confirms, never a GET. */
export function confirmSubscriptionPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
        const { text, language } = await query(request, findConfirmation, request.params.token);
        if (text === null) return sendDone(reply, language);
        const { title, button, note } = pageTexts(language).confirmSubscription;
        return sendPage(
          reply,
          title,
          html`<h1>${title}</h1>
<p>${text}</p>
<form method="post" class="actions"><button type="submit">${button}</button></form>
<p class="quiet small">${note}</p>`,
          { lang: language },
        );
      });

      pages.post('/confirm-subscription/:token', { config, schema: { params } }, async (request, reply) => {
        const { token } = request.params;
        const response = await command(request, confirmSubscription, token);
        return wantsPage(request)
          ? sendDone(reply, (await query(request, findConfirmation, token)).language)
          : response;
      });
    },
    ({ confirmSubscription: { invalid, expired } }) => ({ INVALID_VALUE: invalid, EXPIRED: expired }),
  );
}

function sendDone(reply: FastifyReply, lang: Language): FastifyReply {
  const texts = pageTexts(lang).confirmSubscription;
  return sendPage(reply, texts.done, done(texts.done, texts.doneText), { lang });
}
