import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { optOut, readOptOut } from '../domains/carts/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import type { Language } from '../shared/mail/languages.ts';
import { Success } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage, wantsPage } from './page.ts';
import { browserLanguage, pageTexts } from './texts/index.ts';

const params = Type.Object({ token: Type.String({ maxLength: 500 }) });
const config = { access: 'public' } as const;

/** The page that the link in a cart reminder opens. A GET changes nothing, because mail scanners follow links. */
export function cartReminderPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/cart-reminders/:token', { config, schema: { params } }, async (request, reply) => {
        const { token } = request.params;
        if (token === 'example') {
          const language = browserLanguage(request);
          return send(reply, language, html`<p>${pageTexts(language).cartReminders.example}</p>`);
        }
        const { businessName, language } = await query(request, readOptOut, token);
        const { text, button } = pageTexts(language).cartReminders;
        return send(
          reply,
          language,
          html`<p>${text(businessName)}</p>
<form method="post" class="actions"><button type="submit">${button}</button></form>`,
        );
      });

      pages.post(
        '/cart-reminders/:token',
        { config, schema: { params, response: { 200: Success } } },
        async (request, reply) => {
          const { token } = request.params;
          const response = await command(request, optOut, token);
          if (!wantsPage(request)) return response;
          const { language } = await query(request, readOptOut, token);
          const { done } = pageTexts(language).cartReminders;
          return send(reply, language, html`<p class="notice good" role="status">${done}</p>`);
        },
      );
    },
    ({ cartReminders }) => ({ NOT_FOUND: cartReminders.notFound }),
  );
}

function send(reply: FastifyReply, lang: Language, body: Html): FastifyReply {
  const { title } = pageTexts(lang).cartReminders;
  return sendPage(reply, title, html`<h1>${title}</h1>${body}`, { lang });
}
