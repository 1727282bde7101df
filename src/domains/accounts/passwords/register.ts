import type { StepsOf } from '../../../context/index.ts';
import { spend, spendMail } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { badRequest, invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { checkMayRegister } from '../registration.ts';
import { badReserveDomain, mailLink, mailLinkBase } from './mail-links.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { confirmMail } from './mails.ts';
import { checkPassword } from './password-rules.ts';
import { findCredentials } from './queries.ts';
import { hasOpenRegistration, insertRegistration, upsertUnconfirmed } from './registrations.ts';
import type { RegisterInput } from './schemas.ts';

type Prepared = { linkBase: string; passwordHash: string };

/** A new user who has to confirm the e-mail, or one more registration of one who has not done so yet. */
export const register: StepsOf<AccountServices, RegisterInput, Prepared, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { provider = 'EMAIL', email, password = '', reserveDomain, invitationToken }) {
    const { limits, passwords } = ctx.accounts;
    if (!['EMAIL_REGISTER', 'EMAIL'].includes(provider)) throw badRequest('Invalid provider.');
    await spend(ctx, limits.address, addressKey(ctx.address));
    await checkMayRegister(ctx, email, invitationToken);
    const linkBase = mailLinkBase(ctx, reserveDomain);
    const errors = checkPassword(password, email, 'password');
    if (linkBase === null) errors.push(badReserveDomain());
    if (errors.length > 0) throw invalid(errors);

    if ((await findCredentials(ctx.db, { email }))?.isConfirmed) throw emailExists();
    await spendMail(ctx, email);
    return { linkBase: linkBase!, passwordHash: await passwords.hash(password) };
  },
  async execute(ctx, input, { linkBase, passwordHash }) {
    const { db: tx, now } = ctx;
    const { email } = input;
    const expiresAt = now + MAIL_TOKEN_SECONDS;
    const registration = { email, name: nameOf(input), passwordHash, createdAt: now };
    const userId = await upsertUnconfirmed(tx, { userId: newId('usr'), ...registration });
    if (userId === null) throw emailExists();
    const another = await hasOpenRegistration(tx, userId, now);
    const id = newId('reg');
    await insertRegistration(tx, { id, userId, ...registration, expiresAt });
    await ctx.emitAccount({ type: 'user.registered', userId, data: { email } });
    const token = ctx.accounts.mailTokens.issue({ kind: 'confirm', userId, stamp: id, expiresAt });
    await ctx.mail(confirmMail(email, mailLink(linkBase, 'confirm', token), another));
    return SUCCESS;
  },
};

function emailExists() {
  const message = 'This e-mail is registered already. Log in, or reset the password.';
  return badRequest(message, [{ field: 'email', error: 'EMAIL_EXISTS', message }]);
}

function nameOf({ name, firstName = '', lastName = '' }: RegisterInput): string {
  return (name ?? `${firstName} ${lastName}`).trim().slice(0, 200);
}
