import Type from 'typebox';
import { forgotPassword, hasAccount, joinByInvitation } from '../domains/accounts/index.ts';
import { declineInvitation, readInvitation } from '../domains/businesses/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { Input, Line, OneOf } from '../shared/schemas.ts';
import { done, doneMember, failed, problemOf } from './form.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

const Token = Type.String({ maxLength: 300 });
const config = { access: 'public' } as const;
const querystring = Type.Object({ token: Type.Optional(Token) });
const body = Input({
  token: Token,
  action: OneOf(['accept', 'decline', 'forgot']),
  name: Type.Optional(Line(200)),
  password: Type.Optional(Type.String({ maxLength: 1000 })),
});

type Shown = { token: string; email: string; businessName: string; roleNames: string[]; isKnown: boolean };

/** The page behind the link in an invitation: log in or create an account to accept. Declining needs only the link. */
export function invitationPages(app: App): void {
  pageRoutes(app, (pages) => {
    pages.get('/invitation', { config, schema: { querystring } }, async (request, reply) => {
      const shown = await read(request, request.query.token ?? '');
      if (!shown) return sendPage(reply, 'Invitation', INVALID, { status: 404 });
      return sendPage(reply, `Invitation to join ${shown.businessName}`, invitationForm(shown));
    });

    pages.post('/invitation', { config, schema: { body } }, async (request, reply) => {
      const { token, action, name, password = '' } = request.body;
      const shown = await read(request, token);
      if (!shown) return sendPage(reply, 'Invitation', INVALID, { status: 404 });
      const { businessName, email } = shown;
      if (action === 'decline') {
        await command(request, declineInvitation, token);
        return sendPage(
          reply,
          'Invitation declined',
          done('Invitation declined', `You declined the invitation to join ${businessName}. The link no longer works.`),
        );
      }
      if (action === 'forgot') {
        await command(request, forgotPassword, { email });
        const text = 'We sent you an email with a link to set a password. After you set it, open the invitation again.';
        return sendPage(reply, 'Check your inbox', done('Check your inbox', text));
      }
      const problem = await problemOf(command(request, joinByInvitation, { token, name, password }));
      if (problem?.details[0]?.field === 'password') {
        const again = invitationForm(shown, { message: problem.message, name });
        return sendPage(reply, `Invitation to join ${businessName}`, again, { status: 422 });
      }
      if (problem) return sendPage(reply, 'Invitation', failed(problem.message), { status: 422 });
      return sendPage(reply, 'Welcome', doneMember(`Welcome to ${businessName}`, `Log in as ${email} to get started.`));
    });
  });
}

/** Null if the link no longer works. */
async function read(request: Parameters<typeof query>[0], token: string): Promise<Shown | null> {
  const invitation = await query(request, readInvitation, token);
  return invitation && { token, ...invitation, isKnown: await query(request, hasAccount, invitation.email) };
}

const INVALID = html`<h1>Invitation no longer valid</h1>
<p class="notice bad" role="alert">This invitation has expired or was already used or revoked. Ask for a new one.</p>`;

function invitationForm(shown: Shown, problem?: { message: string; name: string | undefined }): Html {
  const { token, email, businessName, roleNames, isKnown } = shown;
  return html`<h1>Join ${businessName}</h1>
<p>You're invited as ${roleNames.map((name, i) => html`${i > 0 ? ', ' : null}<strong>${name}</strong>`)}.
${isKnown ? 'Log in to accept.' : 'Create an account to accept.'}</p>
<form method="post" action="/invitation">
<input type="hidden" name="token" value="${token}">
<label for="email">Email</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly>
${isKnown ? null : nameField(problem?.name ?? '')}
${passwordField(isKnown, problem?.message)}
<div class="actions"><button type="submit" name="action" value="accept">${isKnown ? 'Log in and accept' : 'Create account and accept'}</button></div>
</form>
<form method="post" action="/invitation" class="actions">
<input type="hidden" name="token" value="${token}">
<button type="submit" name="action" value="decline" class="quiet">Decline</button>
${isKnown ? html`<button type="submit" name="action" value="forgot" class="quiet">Set a password</button>` : null}
</form>`;
}

const nameField = (name: string) => html`<label for="name">Your name</label>
<input id="name" name="name" value="${name}" autocomplete="name" maxlength="200">`;

const passwordField = (isKnown: boolean, problem?: string) => html`<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="128"
 autocomplete="${isKnown ? 'current-password' : 'new-password'}"${isKnown ? null : html` aria-describedby="hint"`}${problem ? html` aria-invalid="true" aria-errormessage="problem" autofocus` : null}>
${problem ? html`<p class="field-error" id="problem" role="alert">${problem}</p>` : null}
${isKnown ? null : html`<p class="quiet small" id="hint">At least 8 characters, with a letter and a number or symbol.</p>`}`;
