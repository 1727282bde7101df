import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import {
  confirm,
  createFirstAccount,
  type FirstAccountInput,
  resetForgottenPassword,
} from '../domains/accounts/index.ts';
import { command } from '../http/command.ts';
import type { App } from '../http/server.ts';
import type { FieldError } from '../shared/errors.ts';
import { Input } from '../shared/schemas.ts';
import {
  failed,
  fieldError,
  invalidInput,
  memberConfirmation,
  problemOf,
  textOf,
  visitorConfirmation,
} from './form.ts';
import { type Html, html, pageRoutes, problemText, sendPage } from './page.ts';
import { browserLanguage, type PageTexts, pageTexts } from './texts/index.ts';

const Token = Type.String({ maxLength: 2000 });
const querystring = Type.Object({ token: Type.Optional(Token) });
const Field = Type.String({ maxLength: 1000 });
const config = { access: 'public' } as const;

/**
 * The pages that links in account emails open, for shops whose storefront has no such pages. A GET changes nothing, because mail scanners
 * follow links too: only the button uses the token.
 */
export function accountPages(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/confirm', { config, schema: { querystring } }, ({ query }, reply) => {
      const texts = textsFor(reply);
      return send(reply, texts.account.confirm.title, confirmForm(texts, query.token ?? ''));
    });

    pages.post('/confirm', { config, schema: { body: Input({ token: Token }) } }, async (request, reply) => {
      const texts = textsFor(reply);
      const { title, done, doneText } = texts.account.confirm;
      const problem = await problemOf(command(request, confirm, request.body.token));
      if (problem) return send(reply, title, failed(texts, textOf(texts, problem)), 422);
      return send(reply, done, visitorConfirmation(texts, done, doneText));
    });

    pages.get('/reset-password', { config, schema: { querystring } }, ({ query }, reply) => {
      const texts = textsFor(reply);
      return send(reply, texts.account.reset.title, passwordForm(texts, query.token ?? ''));
    });

    const body = Input({ token: Token, password: Type.String({ maxLength: 1000 }) });
    pages.post('/reset-password', { config, schema: { body } }, async (request, reply) => {
      const texts = textsFor(reply);
      const { title, done, doneText } = texts.account.reset;
      const problem = await problemOf(command(request, resetForgottenPassword, request.body));
      if (problem?.details[0]?.field === 'password') {
        return send(reply, title, passwordForm(texts, request.body.token, textOf(texts, problem)), 422);
      }
      if (problem) return send(reply, title, failed(texts, textOf(texts, problem)), 422);
      return send(reply, done, visitorConfirmation(texts, done, doneText));
    });

    // The link in a login email. Its fragment contains the code, and browsers keep the fragment across the redirect.
    pages.get('/login-code', { config }, (_request, reply) => reply.redirect('/admin/login-code'));

    pages.get('/setup', { config, schema: { querystring } }, ({ query }, reply) => {
      const texts = textsFor(reply);
      const values = { token: query.token ?? '', businessName: '', email: '', password: '' };
      return send(reply, texts.account.setup.title, setupForm(texts, values));
    });

    const setup = Input({ token: Token, businessName: Field, email: Field, password: Field });
    pages.post('/setup', { config, schema: { body: setup } }, async (request, reply) => {
      const texts = textsFor(reply);
      const { title, used, welcome, done, doneText } = texts.account.setup;
      const work = command(request, createFirstAccount, request.body);
      const problem = await problemOf(work);
      if (problem?.details[0]?.field === 'token') return send(reply, title, failed(texts, used), 422);
      if (problem) return send(reply, title, setupForm(texts, request.body, problem.details), 422);
      const text = doneText(request.body.email, (await work).businessId);
      return send(reply, welcome, memberConfirmation(texts, done, text));
    });
  });
}

/** An account has no language, so these pages use the browser's. */
const textsFor = ({ request }: FastifyReply) => pageTexts(browserLanguage(request));

const send = (reply: FastifyReply, title: string, body: Html, status = 200): FastifyReply =>
  sendPage(reply, title, body, { status, lang: browserLanguage(reply.request) });

const confirmForm = ({ account: { confirm: texts } }: PageTexts, token: string) => html`<h1>${texts.title}</h1>
<p>${texts.text}</p>
<form method="post" action="/confirm" class="actions">
<input type="hidden" name="token" value="${token}">
<button type="submit">${texts.button}</button>
</form>`;

const passwordForm = (
  { account, common }: PageTexts,
  token: string,
  problem?: string,
) => html`<h1>${account.reset.title}</h1>
<form method="post" action="/reset-password">
<input type="hidden" name="token" value="${token}">
<label for="password">${account.reset.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128"
 aria-describedby="hint"${invalidInput('problem', problem)}>
${fieldError('problem', problem)}
<p class="quiet small" id="hint">${common.passwordHint}</p>
<button type="submit">${account.reset.button}</button>
</form>`;

/** Keeps the entered values, except the password. */
const setupForm = (
  texts: PageTexts,
  { token, businessName, email }: FirstAccountInput,
  problems: FieldError[] = [],
) => {
  const { common } = texts;
  const { title, text, button, businessName: nameLabel, invalidName, invalidEmail } = texts.account.setup;
  const problemWith = (field: string, message?: string) => {
    const problem = problems.find((each) => each.field === field);
    return problem && (message ?? problemText(texts, problem.error) ?? problem.message);
  };
  return html`<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
<label for="businessName">${nameLabel}</label>
${field('businessName', 'text', 'organization', businessName, problemWith('businessName', invalidName))}
<label for="email">${common.email}</label>
${field('email', 'email', 'username', email, problemWith('email', invalidEmail))}
<label for="password">${common.password}</label>
${field('password', 'password', 'new-password', '', problemWith('password'))}
<p class="quiet small">${common.passwordHint}</p>
<button type="submit">${button}</button>
</form>`;
};

const field = (name: string, type: string, autocomplete: string, value: string, problem?: string): Html => html`
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required maxlength="254"
${invalidInput(`${name}-problem`, problem)}>
${fieldError(`${name}-problem`, problem)}`;
