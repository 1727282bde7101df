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
import { doneMember, doneVisitor, failed, problemOf } from './form.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Token = Type.String({ maxLength: 2000 });
const querystring = Type.Object({ token: Type.Optional(Token) });
const Field = Type.String({ maxLength: 1000 });
const config = { access: 'public' } as const;
const SETUP = 'Create the first account';
const USED_SETUP =
  'This link was already used or has expired. Until the first account exists, the server prints a new link each time it starts.';

/**
 * The pages behind the links in account emails, for shops whose storefront has none. A GET changes nothing, because mail
 * scanners follow links too: only the button uses the token.
 */
export function accountPages(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/confirm', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, 'Confirm your email', confirmForm(query.token ?? '')),
    );

    pages.post('/confirm', { config, schema: { body: Input({ token: Token }) } }, async (request, reply) => {
      const problem = await problemOf(command(request, confirm, request.body.token));
      if (problem) return sendPage(reply, 'Confirm your email', failed(problem.message), { status: 422 });
      return sendPage(reply, 'Email confirmed', doneVisitor('Email confirmed', 'You can now log in.'));
    });

    pages.get('/reset-password', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, 'Reset your password', passwordForm(query.token ?? '')),
    );

    const body = Input({ token: Token, password: Type.String({ maxLength: 1000 }) });
    pages.post('/reset-password', { config, schema: { body } }, async (request, reply) => {
      const { token } = request.body;
      const problem = await problemOf(command(request, resetForgottenPassword, request.body));
      if (problem?.details[0]?.field === 'password') {
        return sendPage(reply, 'Reset your password', passwordForm(token, problem.message), { status: 422 });
      }
      if (problem) return sendPage(reply, 'Reset your password', failed(problem.message), { status: 422 });
      return sendPage(
        reply,
        'Password changed',
        doneVisitor('Password changed', 'You can now log in with your new password.'),
      );
    });

    // The link in an email with a login code. The browser keeps the fragment, which has the code.
    pages.get('/login-code', { config }, (_request, reply) => reply.redirect('/admin/login-code'));

    pages.get('/setup', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, SETUP, setupForm({ token: query.token ?? '', businessName: '', email: '', password: '' })),
    );

    const setup = Input({ token: Token, businessName: Field, email: Field, password: Field });
    pages.post('/setup', { config, schema: { body: setup } }, async (request, reply) => {
      const work = command(request, createFirstAccount, request.body);
      const problem = await problemOf(work);
      if (problem?.details[0]?.field === 'token') return sendPage(reply, SETUP, failed(USED_SETUP), { status: 422 });
      if (problem) return sendPage(reply, SETUP, setupForm(request.body, problem.details), { status: 422 });
      const text = `You can now log in as ${request.body.email}. Your business ID is ${(await work).businessId}.`;
      return sendPage(reply, 'Welcome', doneMember('Your business is ready', text));
    });
  });
}

const confirmForm = (token: string) => html`<h1>Confirm your email</h1>
<p>Confirm your email address to activate your account.</p>
<form method="post" action="/confirm" class="actions">
<input type="hidden" name="token" value="${token}">
<button type="submit">Confirm email</button>
</form>`;

const passwordForm = (token: string, problem?: string) => html`<h1>Reset your password</h1>
<form method="post" action="/reset-password">
<input type="hidden" name="token" value="${token}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128"
 aria-describedby="hint"${problem ? html` aria-invalid="true" aria-errormessage="problem" autofocus` : null}>
${problem ? html`<p class="field-error" id="problem" role="alert">${problem}</p>` : null}
<p class="quiet small" id="hint">At least 8 characters, with a letter and a number or symbol.</p>
<button type="submit">Save password</button>
</form>`;

/** Keeps the entered values, except the password. */
const setupForm = ({ token, businessName, email }: FirstAccountInput, problems: FieldError[] = []) => {
  const problemWith = (field: string) => problems.find((problem) => problem.field === field)?.message;
  return html`<h1>${SETUP}</h1>
<p>This account owns your first business and can invite others.</p>
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
<label for="businessName">Business name</label>
${field('businessName', 'text', 'organization', businessName, problemWith('businessName'))}
<label for="email">Email</label>
${field('email', 'email', 'username', email, problemWith('email'))}
<label for="password">Password</label>
${field('password', 'password', 'new-password', '', problemWith('password'))}
<p class="quiet small">At least 8 characters, with a letter and a number or symbol.</p>
<button type="submit">Create account</button>
</form>`;
};

const field = (name: string, type: string, autocomplete: string, value: string, problem?: string): Html => html`
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required maxlength="254"
${problem ? html` aria-invalid="true" aria-errormessage="${name}-problem" autofocus` : null}>
${problem ? html`<p class="field-error" id="${name}-problem" role="alert">${problem}</p>` : null}`;
