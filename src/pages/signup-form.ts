import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { embedHtml, getForm, submitForm } from '../domains/newsletters/index.ts';
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
    check: 'Check your inbox',
    thanks: 'We sent you an email with a link. Open it to confirm your subscription.',
    problem: 'Please check your entries',
    back: 'Go back and enter a valid email address, and short texts without links.',
  },
  de: {
    title: 'Abonnieren',
    check: 'Sieh in deinem Posteingang nach',
    thanks: 'Wir haben dir eine E-Mail mit einem Link geschickt. Öffne ihn, um dein Abo zu bestätigen.',
    problem: 'Bitte prüfe deine Eingaben',
    back: 'Geh zurück und gib eine gültige E-Mail-Adresse und kurze Texte ohne Links ein.',
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

    pages.post('/v1/forms/:businessId/:formId', { config, schema: { params, body } }, async (request, reply) => {
      const { check, thanks, problem, back } = textsFor(request);
      try {
        const values = { id: request.params.formId, values: request.body };
        const { doc } = await command(request, submitForm, values);
        if (doc.redirectUrl !== null) return reply.redirect(doc.redirectUrl, 303);
        return send(
          request,
          reply,
          html`<h1>${check}</h1><p class="notice good" role="status">${doc.thanks || thanks}</p>`,
        );
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') throw error;
        return send(request, reply, html`<h1>${problem}</h1><p role="alert">${back}</p>`, { status: 422 });
      }
    });
  });
}

const languageFor = ({ headers }: FastifyRequest) => languageOf(...acceptedLocales(headers['accept-language'] ?? ''));
const textsFor = (request: FastifyRequest) => TEXTS[languageFor(request)];

const send = (request: FastifyRequest, reply: FastifyReply, content: Html, options: object = {}): FastifyReply =>
  sendPage(reply, textsFor(request).title, content, { lang: languageFor(request), ...options });
