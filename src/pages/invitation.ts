import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { forgotPassword, hasAccount, joinByInvitation } from '../domains/accounts/index.ts';
import { declineInvitation, readInvitation } from '../domains/businesses/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import type { Language } from '../shared/mail/languages.ts';
import { Input, Line, OneOf } from '../shared/schemas.ts';
import { done, failed, fieldError, invalidInput, memberConfirmation, problemOf, textOf } from './form.ts';
import { type Html, html, pageRoutes, sendPage, sendProblem } from './page.ts';
import { browserLanguage, type PageTexts, pageTexts } from './texts/index.ts';

const Token = Type.String({ maxLength: 300 });
const config = { access: 'public' } as const;
const querystring = Type.Object({ token: Type.Optional(Token) });
const body = Input({
  token: Token,
  action: OneOf(['accept', 'decline', 'forgot']),
  name: Type.Optional(Line(200)),
  password: Type.Optional(Type.String({ maxLength: 1000 })),
});

type Shown = {
  token: string;
  email: string;
  businessName: string;
  language: Language;
  roleNames: string[];
  isKnown: boolean;
};

/** The page that the link in an invitation opens: log in or create an account to accept. Declining needs only the link. */
export function invitationPages(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/invitation', { config, schema: { querystring } }, async (request, reply) => {
        const shown = await read(request, request.query.token ?? '');
        if (!shown) return sendInvalid(reply);
        const texts = pageTexts(shown.language);
        const title = texts.invitation.titleOf(shown.businessName);
        return sendPage(reply, title, invitationForm(texts, shown), { lang: shown.language });
      });

      pages.post('/invitation', { config, schema: { body } }, async (request, reply) => {
        const { token, action, name, password = '' } = request.body;
        const shown = await read(request, token);
        if (!shown) return sendInvalid(reply);
        const { businessName, email, language: lang } = shown;
        const texts = pageTexts(lang);
        const { invitation, common } = texts;
        if (action === 'decline') {
          await command(request, declineInvitation, token);
          const text = invitation.declinedText(businessName);
          return sendPage(reply, invitation.declined, done(invitation.declined, text), { lang });
        }
        if (action === 'forgot') {
          await command(request, forgotPassword, { email });
          return sendPage(reply, common.checkInbox, done(common.checkInbox, invitation.mailed), { lang });
        }
        const problem = await problemOf(command(request, joinByInvitation, { token, name, password }));
        if (problem?.details[0]?.field === 'password') {
          const again = invitationForm(texts, shown, { message: textOf(texts, problem), name });
          return sendPage(reply, invitation.titleOf(businessName), again, { status: 422, lang });
        }
        if (problem?.details[0]?.field === 'token') return sendInvalid(reply);
        if (problem) {
          return sendPage(reply, invitation.title, failed(texts, textOf(texts, problem)), { status: 422, lang });
        }
        const welcome = invitation.welcome(businessName);
        return sendPage(reply, welcome, memberConfirmation(texts, welcome, invitation.welcomeText(email)), { lang });
      });
    },
    ({ invitation }) => ({ CONFLICT: invitation.conflict }),
  );
}

/** Null if the link no longer works. */
async function read(request: FastifyRequest, token: string): Promise<Shown | null> {
  const invitation = await query(request, readInvitation, token);
  return invitation && { token, ...invitation, isKnown: await query(request, hasAccount, invitation.email) };
}

function sendInvalid(reply: FastifyReply): FastifyReply {
  const lang = browserLanguage(reply.request);
  return sendProblem(reply, pageTexts(lang).invitation.invalid, { status: 404, lang });
}

function invitationForm(texts: PageTexts, shown: Shown, problem?: { message: string; name: string | undefined }): Html {
  const { invitation, common } = texts;
  const { token, email, businessName, roleNames, isKnown } = shown;
  return html`<h1>${invitation.join(businessName)}</h1>
<p>${invitation.role(roleNames)} ${isKnown ? invitation.logInToAccept : invitation.createToAccept}</p>
<form method="post" action="/invitation">
<input type="hidden" name="token" value="${token}">
<label for="email">${common.email}</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly>
${isKnown ? null : nameField(invitation.name, problem?.name ?? '')}
${passwordField(texts, isKnown, problem?.message)}
<div class="actions"><button type="submit" name="action" value="accept">${isKnown ? invitation.logIn : invitation.create}</button></div>
</form>
<form method="post" action="/invitation" class="actions">
<input type="hidden" name="token" value="${token}">
<button type="submit" name="action" value="decline" class="quiet">${invitation.decline}</button>
${isKnown ? html`<button type="submit" name="action" value="forgot" class="quiet">${invitation.setPassword}</button>` : null}
</form>`;
}

const nameField = (label: string, name: string) => html`<label for="name">${label}</label>
<input id="name" name="name" value="${name}" autocomplete="name" maxlength="200">`;

const passwordField = (
  { common }: PageTexts,
  isKnown: boolean,
  problem?: string,
) => html`<label for="password">${common.password}</label>
<input id="password" name="password" type="password" required maxlength="128"
 autocomplete="${isKnown ? 'current-password' : 'new-password'}"${isKnown ? null : html` aria-describedby="hint"`}${invalidInput('problem', problem)}>
${fieldError('problem', problem)}
${isKnown ? null : html`<p class="quiet small" id="hint">${common.passwordHint}</p>`}`;
