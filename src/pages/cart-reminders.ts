import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { optOut, readOptOut } from '../domains/carts/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { acceptedLocales, languageOf } from '../shared/mail/languages.ts';
import { type Html, html, pageRoutes, sendPage, wantsPage } from './page.ts';

const params = Type.Object({ token: Type.String({ maxLength: 500 }) });
const config = { access: 'public' } as const;

const TEXTS = {
  en: {
    title: 'Cart reminders',
    ask: (business: string) => `${business} will no longer email you about your cart.`,
    button: 'Stop reminders',
    done: "You won't get any more reminders.",
    example: 'This was an example. In an email, this link stops reminders.',
  },
  de: {
    title: 'Erinnerungen an den Warenkorb',
    ask: (business: string) => `${business} schreibt dir dann nicht mehr wegen deines Warenkorbs.`,
    button: 'Keine Erinnerungen mehr',
    done: 'Du bekommst keine Erinnerungen mehr.',
    example: 'Das war ein Beispiel. In einer E-Mail beendet dieser Link die Erinnerungen.',
  },
};

/** The page behind the link in a cart reminder. A GET changes nothing, because mail scanners follow links. */
export function cartReminderPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/cart-reminders/:token', { config, schema: { params } }, async (request, reply) => {
      const { token } = request.params;
      const texts = textsFor(request);
      if (token === 'example') return send(request, reply, html`<p>${texts.example}</p>`);
      const { businessName } = await query(request, readOptOut, token);
      return send(
        request,
        reply,
        html`<p>${texts.ask(businessName)}</p>
<form method="post" class="actions"><button type="submit">${texts.button}</button></form>`,
      );
    });

    pages.post('/cart-reminders/:token', { config, schema: { params } }, async (request, reply) => {
      const response = await command(request, optOut, request.params.token);
      const done = html`<p class="notice good" role="status">${textsFor(request).done}</p>`;
      return wantsPage(request) ? send(request, reply, done) : response;
    });
  });
}

const languageFor = ({ headers }: FastifyRequest) => languageOf(...acceptedLocales(headers['accept-language'] ?? ''));
const textsFor = (request: FastifyRequest) => TEXTS[languageFor(request)];

function send(request: FastifyRequest, reply: FastifyReply, body: Html): FastifyReply {
  const { title } = textsFor(request);
  return sendPage(reply, title, html`<h1>${title}</h1>${body}`, { lang: languageFor(request) });
}
