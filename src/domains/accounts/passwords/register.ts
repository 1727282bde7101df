import { consumeLimit, consumeMailLimit } from '../../../db/limits.ts';
import { badRequest, invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { requestLanguage } from '../../../shared/mail/service-mail.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { checkRegistrationAllowed } from '../registration.ts';
import { badReserveDomain, findMailSite, mailLink } from './mail-links.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { confirmMail } from './mails.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import { hasOpenRegistration, insertRegistration, upsertUnconfirmed } from './registrations.ts';
import type { RegisterInput } from './schemas.ts';

/** Registers a new user, or adds another registration of an unconfirmed user. The user then confirms the email. */
export const register = command({
  async prepare(ctx, input: RegisterInput) {
    const { provider = 'EMAIL', email, password = '', invitationToken } = input;
    const { limits, passwords } = ctx.accounts;
    if (!['EMAIL_REGISTER', 'EMAIL'].includes(provider)) throw badRequest('provider must be EMAIL.');
    await consumeLimit(ctx, limits.address, addressKey(ctx.address));
    await checkRegistrationAllowed(ctx, email, invitationToken);
    const site = await findMailSite(ctx, input);
    const errors = checkPassword(password, email, 'password');
    if (!site) errors.push(badReserveDomain());
    if (errors.length > 0) throw invalid(errors);

    if ((await findCredentials(ctx.db, { email }))?.isConfirmed) throw emailExists();
    await consumeMailLimit(ctx, email);
    const { linkBase } = site!;
    return { email, name: nameOf(input), linkBase, passwordHash: await passwords.hash(password) };
  },
  async execute(ctx, { email, name, linkBase, passwordHash }) {
    const { db: tx, now } = ctx;
    const expiresAt = now + MAIL_TOKEN_SECONDS;
    const registration = { email, name, passwordHash, createdAt: now };
    const userId = await upsertUnconfirmed(tx, { userId: newId('usr'), ...registration });
    if (userId === null) throw emailExists();
    const hasEarlier = await hasOpenRegistration(tx, userId, now);
    const id = newId('reg');
    await insertRegistration(tx, { id, userId, ...registration, expiresAt });
    ctx.emitAccount({ type: 'user.registered', userId, data: { email } });
    const token = ctx.accounts.mailTokens.issue({ kind: 'confirm', userId, stamp: id, expiresAt });
    await ctx.mail(confirmMail(email, mailLink(linkBase, 'confirm', token), hasEarlier, requestLanguage(ctx)));
    return SUCCESS;
  },
});

function emailExists() {
  const message = 'This email is already registered. Log in or reset your password.';
  return badRequest(message, [{ field: 'email', error: 'EMAIL_EXISTS', message }]);
}

function nameOf({ name, firstName = '', lastName = '' }: RegisterInput): string {
  return (name ?? `${firstName} ${lastName}`).trim().slice(0, 200);
}
