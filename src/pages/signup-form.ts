import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { readerLanguage } from '../domains/businesses/index.ts';
import { embedHtml, getForm, readReferral, submitForm, submitReferral } from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { ServiceError } from '../shared/errors.ts';
import type { Language } from '../shared/mail/languages.ts';
import { BusinessId, Id } from '../shared/schemas.ts';
import { done } from './form.ts';
import { type Html, html, pageRoutes, sendPage, sendProblem } from './page.ts';
import { pageTexts } from './texts/index.ts';

const params = Type.Object({ businessId: BusinessId, formId: Id });
const body = Type.Record(Type.String(), Type.String({ maxLength: 500 }));
const config = { access: 'public' } as const;

/** The page of a sign-up form, and the route that the form posts to. The response never contains what the visitor entered. */
export function signupFormPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/f/:businessId/:formId', { config, schema: { params } }, async (request, reply) => {
        const { businessId, formId } = request.params;
        const form = await query(request, getForm, formId);
        const lang = await query(request, readerLanguage, businessId);
        const { title } = pageTexts(lang).signup;
        const markup: Html = { html: embedHtml('', form, lang) };
        return sendPage(reply, title, form.doc.heading ? markup : html`<h1>${title}</h1>${markup}`, {
          lang,
          ...(form.doc.redirectUrl ? { formTargets: new URL(form.doc.redirectUrl).origin } : {}),
        });
      });

      pages.post('/v1/forms/:businessId/:formId', { config, schema: { params, body } }, async (request, reply) => {
        const { businessId, formId } = request.params;
        const lang = await query(request, readerLanguage, businessId);
        const submit = command(request, submitForm, { id: formId, values: request.body });
        return answer(
          reply,
          lang,
          submit.then(({ doc }) => doc),
        );
      });

      referralPages(pages);
    },
    ({ signup }) => ({ NOT_FOUND: signup.notFound }),
  );
}

type Outcome = { thanks: string; redirectUrl: string | null };

async function answer(reply: FastifyReply, lang: Language, work: Promise<Outcome>): Promise<FastifyReply> {
  const { signup, common } = pageTexts(lang);
  try {
    const { thanks, redirectUrl } = await work;
    if (redirectUrl !== null) return reply.redirect(redirectUrl, 303);
    return sendPage(reply, signup.title, done(common.checkInbox, thanks || signup.thanks), { lang });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'VALIDATION_FAILED') throw error;
    return sendProblem(reply, signup.invalid, { status: 422, lang });
  }
}

/** The page that a subscriber's referral link opens. */
function referralPages(pages: App): void {
  const token = Type.Object({ token: Type.String({ maxLength: 300 }) });
  pages.get('/r/:token', { config, schema: { params: token } }, async (request, reply) => {
    const { newsletter, referrer } = await query(request, readReferral, request.params.token);
    const lang = await query(request, readerLanguage, referrer.businessId);
    const { signup, common } = pageTexts(lang);
    return sendPage(
      reply,
      signup.title,
      html`<h1>${newsletter.name}</h1><p>${newsletter.description}</p>
<form method="post"><p><label>${common.email}<br><input type="email" name="email" required maxlength="254" autocomplete="email"></label></p>
<p hidden><input name="website" tabindex="-1" autocomplete="off"></p>
<p class="actions"><button type="submit">${signup.button}</button></p></form>`,
      { lang },
    );
  });

  pages.post('/r/:token', { config, schema: { params: token, body } }, async (request, reply) => {
    const { token } = request.params;
    const { referrer } = await query(request, readReferral, token);
    const lang = await query(request, readerLanguage, referrer.businessId);
    const submit = command(request, submitReferral, { token, values: request.body });
    return answer(
      reply,
      lang,
      submit.then(() => ({ thanks: '', redirectUrl: null })),
    );
  });
}
