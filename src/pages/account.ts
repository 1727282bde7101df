import Type from 'typebox';
import {
  type AccountServices,
  confirm,
  type FirstAccountInput,
  makeFirstAccount,
  resetForgottenPassword,
} from '../domains/accounts/index.ts';
import { command, stepsOf } from '../http/command.ts';
import type { App } from '../http/server.ts';
import type { FieldError } from '../shared/errors.ts';
import { Input } from '../shared/schemas.ts';
import { doneMember, doneVisitor, failed, problemOf } from './form.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Token = Type.String({ maxLength: 2000 });
const querystring = Type.Object({ token: Type.Optional(Token) });
const Field = Type.String({ maxLength: 1000 });
const config = { access: 'public' } as const;
const SETUP = 'Make the first account';
const USED_SETUP =
  'This link was used, or is older than an hour. While nobody has an account, each start of the service prints a new one.';

/**
 * What the links in our mails open when no storefront has pages of its own. A GET changes nothing, because mail scanners
 * follow links too: only the button uses the token.
 */
export function accountPages(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/confirm', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, 'Confirm your e-mail', confirmForm(query.token ?? '')),
    );

    pages.post('/confirm', { config, schema: { body: Input({ token: Token }) } }, async (request, reply) => {
      const problem = await problemOf(command(request, confirm, request.body.token));
      if (problem) return sendPage(reply, 'Confirm your e-mail', failed(problem.message), { status: 422 });
      return sendPage(reply, 'E-mail confirmed', doneVisitor('Your e-mail is confirmed', 'You can log in now.'));
    });

    pages.get('/reset-password', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, 'Choose a new password', passwordForm(query.token ?? '')),
    );

    const body = Input({ token: Token, password: Type.String({ maxLength: 1000 }) });
    pages.post('/reset-password', { config, schema: { body } }, async (request, reply) => {
      const { token } = request.body;
      const problem = await problemOf(command(request, resetForgottenPassword, request.body));
      if (problem?.details[0]?.field === 'password') {
        return sendPage(reply, 'Choose a new password', passwordForm(token, problem.message), { status: 422 });
      }
      if (problem) return sendPage(reply, 'Choose a new password', failed(problem.message), { status: 422 });
      return sendPage(
        reply,
        'Password changed',
        doneVisitor('Your password is changed', 'You can log in with it now.'),
      );
    });

    pages.get('/setup', { config, schema: { querystring } }, ({ query }, reply) =>
      sendPage(reply, SETUP, setupForm({ token: query.token ?? '', businessName: '', email: '', password: '' })),
    );

    const setup = Input({ token: Token, businessName: Field, email: Field, password: Field });
    pages.post('/setup', { config, schema: { body: setup } }, async (request, reply) => {
      const work = makeFirstAccount(stepsOf<AccountServices>(request), request.body);
      const problem = await problemOf(work);
      if (problem?.details[0]?.field === 'token') return sendPage(reply, SETUP, failed(USED_SETUP), { status: 422 });
      if (problem) return sendPage(reply, SETUP, setupForm(request.body, problem.details), { status: 422 });
      const text = `You can log in as ${request.body.email} now. The id of the business is ${(await work).businessId}.`;
      return sendPage(reply, 'Welcome', doneMember('Your account and your business are ready', text));
    });
  });
}

const confirmForm = (token: string) => html`<h1>Confirm your e-mail</h1>
<p>One click, and your account is ready.</p>
<form method="post" action="/confirm" class="actions">
<input type="hidden" name="token" value="${token}">
<button type="submit">Confirm my e-mail</button>
</form>`;

const passwordForm = (token: string, problem?: string) => html`<h1>Choose a new password</h1>
<form method="post" action="/reset-password">
<input type="hidden" name="token" value="${token}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="128"
 aria-describedby="hint"${problem ? html` aria-invalid="true" aria-errormessage="problem" autofocus` : null}>
${problem ? html`<p class="field-error" id="problem" role="alert">${problem}</p>` : null}
<p class="quiet small" id="hint">8 characters or more, with a letter and a digit or another sign.</p>
<button type="submit">Save the password</button>
</form>`;

/** What was typed stays, except the password. */
const setupForm = ({ token, businessName, email }: FirstAccountInput, problems: FieldError[] = []) => {
  const problemWith = (field: string) => problems.find((problem) => problem.field === field)?.message;
  return html`<h1>${SETUP}</h1>
<p>It owns the first business, and can invite others.</p>
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
<label for="businessName">Name of the business</label>
${field('businessName', 'text', 'organization', businessName, problemWith('businessName'))}
<label for="email">Your e-mail</label>
${field('email', 'email', 'username', email, problemWith('email'))}
<label for="password">Password</label>
${field('password', 'password', 'new-password', '', problemWith('password'))}
<p class="quiet small">8 characters or more, with a letter and a digit or another sign.</p>
<button type="submit">Make the account</button>
</form>`;
};

const field = (name: string, type: string, autocomplete: string, value: string, problem?: string): Html => html`
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required maxlength="254"
${problem ? html` aria-invalid="true" aria-errormessage="${name}-problem" autofocus` : null}>
${problem ? html`<p class="field-error" id="${name}-problem" role="alert">${problem}</p>` : null}`;
