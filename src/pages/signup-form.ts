import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { embedHtml, getForm, readReferral, submitForm, submitReferral } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { ServiceError } from '../shared/errors.ts';
import { acceptedLocales, languageOf } from '../shared/mail/languages.ts';
import { BusinessId, Id } from '../shared/schemas.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const params = Type.Object({ businessId: BusinessId, formId: Id });
const body = Type.Record(Type.String(), Type.String({ maxLength: 500 }));
const config = { access: 'public' } as const;

const TEXTS = {
  en: {
    title: 'Subscribe',
    email: 'Email',
    button: 'Subscribe',
    check: 'Check your inbox',
    thanks: 'We sent you an email with a link. Open it to confirm your subscription.',
    problem: 'Check your entries',
    back: "Go back and enter a valid email address. The other fields must be short and can't contain links.",
  },
  de: {
    title: 'Abonnieren',
    email: 'E-Mail',
    button: 'Abonnieren',
    check: 'Prüfe deinen Posteingang',
    thanks: 'Wir haben dir eine E-Mail mit einem Link geschickt. Öffne ihn, um dein Abo zu bestätigen.',
    problem: 'Prüfe deine Eingaben',
    back: 'Geh zurück und gib eine gültige E-Mail-Adresse ein. Die anderen Felder müssen kurz sein und dürfen keine Links enthalten.',
  },
};

/** The page of a sign-up form, and its target. The response never contains what the visitor entered. */
export function signupFormPage(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/f/:businessId/:formId', { config, schema: { params } }, async (request, reply) => {
      const form = await query(request, getForm, request.params.formId);
      const markup: Html = { html: embedHtml('', form, languageFor(request)) };
      return send(request, reply, form.doc.heading ? markup : html`<h1>${textsFor(request).title}</h1>${markup}`, {
        ...(form.doc.redirectUrl ? { formTargets: new URL(form.doc.redirectUrl).origin } : {}),
      });
    });

    pages.post('/v1/forms/:businessId/:formId', { config, schema: { params, body } }, (request, reply) =>
      answer(request, reply, async () => {
        const values = { id: request.params.formId, values: request.body };
        return (await command(request, submitForm, values)).doc;
      }),
    );

    referralPages(pages);
  });
}

type Outcome = { thanks: string; redirectUrl: string | null };

async function answer(request: FastifyRequest, reply: FastifyReply, submit: () => Promise<Outcome>) {
  const texts = textsFor(request);
  try {
    const { thanks, redirectUrl } = await submit();
    if (redirectUrl !== null) return reply.redirect(redirectUrl, 303);
    const text = thanks || texts.thanks;
    return send(request, reply, html`<h1>${texts.check}</h1><p class="notice good" role="status">${text}</p>`);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') throw error;
    return send(request, reply, html`<h1>${texts.problem}</h1><p role="alert">${texts.back}</p>`, { status: 422 });
  }
}

/** The page behind the link of a subscriber. */
function referralPages(pages: App): void {
  const token = Type.Object({ token: Type.String({ maxLength: 300 }) });
  pages.get('/r/:token', { config, schema: { params: token } }, async (request, reply) => {
    const { newsletter } = await query(request, readReferral, request.params.token);
    const { button, email } = textsFor(request);
    return send(
      request,
      reply,
      html`<h1>${newsletter.name}</h1><p>${newsletter.description}</p>
<form method="post"><p><label>${email}<br><input type="email" name="email" required maxlength="254" autocomplete="email"></label></p>
<p hidden><input name="website" tabindex="-1" autocomplete="off"></p>
<p class="actions"><button type="submit">${button}</button></p></form>`,
    );
  });

  pages.post('/r/:token', { config, schema: { params: token, body } }, (request, reply) =>
    answer(request, reply, async () => {
      await command(request, submitReferral, { token: request.params.token, values: request.body });
      return { thanks: '', redirectUrl: null };
    }),
  );
}

const languageFor = ({ headers }: FastifyRequest) => languageOf(...acceptedLocales(headers['accept-language'] ?? ''));
const textsFor = (request: FastifyRequest) => TEXTS[languageFor(request)];

const send = (request: FastifyRequest, reply: FastifyReply, content: Html, options: object = {}): FastifyReply =>
  sendPage(reply, textsFor(request).title, content, { lang: languageFor(request), ...options });
