import type { StepsOf } from '../../../context/index.ts';
import { spend } from '../../../db/limits.ts';
import { addressKey } from '../../../shared/address-key.ts';
import { badRequest, invalid } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { AccountServices } from '../context.ts';
import { badReserveDomain, mailLink, mailLinkBase } from './mail-links.ts';
import { MAIL_TOKEN_SECONDS } from './mail-tokens.ts';
import { confirmMail } from './mails.ts';
import { checkPassword } from './password-rules.ts';
import { emailKey, findCredentials, upsertRegistration } from './queries.ts';
import type { RegisterInput } from './schemas.ts';

type Prepared = { linkBase: string; passwordHash: string };

/** A new user who has to confirm the e-mail, or a new password and a new mail for one who has not done so yet. */
export const register: StepsOf<AccountServices, RegisterInput, Prepared, typeof SUCCESS, typeof SUCCESS> = {
  async prepare(ctx, { provider = 'EMAIL', email, password = '', reserveDomain }) {
    const { limits, passwords } = ctx.accounts;
    if (!['EMAIL_REGISTER', 'EMAIL'].includes(provider)) throw badRequest('Invalid provider.');
    await spend(ctx, limits.address, addressKey(ctx.address));
    const linkBase = mailLinkBase(ctx, reserveDomain);
    const errors = checkPassword(password, email, 'password');
    if (linkBase === null) errors.push(badReserveDomain());
    if (errors.length > 0) throw invalid(errors);

    if ((await findCredentials(ctx.db, { email }))?.isConfirmed) throw emailExists();
    await spend(ctx, limits.mail, emailKey(email));
    return { linkBase: linkBase!, passwordHash: await passwords.hash(password) };
  },
  async execute(ctx, input, { linkBase, passwordHash }) {
    const { email } = input;
    const user = { id: newId('usr'), email, name: nameOf(input), passwordHash, createdAt: ctx.now };
    const registered = await upsertRegistration(ctx.db, user);
    if (!registered) throw emailExists();
    const token = ctx.accounts.mailTokens.issue({
      kind: 'confirm',
      userId: registered.id,
      passwordVersion: registered.passwordVersion,
      expiresAt: ctx.now + MAIL_TOKEN_SECONDS,
    });
    await ctx.mail(confirmMail(email, mailLink(linkBase, 'confirm', token)));
    return SUCCESS;
  },
};

const emailExists = () =>
  badRequest('This e-mail is registered already.', [
    { field: 'email', error: 'EMAIL_EXISTS', message: 'This e-mail is registered already.' },
  ]);

function nameOf({ name, firstName = '', lastName = '' }: RegisterInput): string {
  return (name ?? `${firstName} ${lastName}`).trim().slice(0, 200);
}
