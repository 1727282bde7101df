import type { Tx } from '../../db/sql.ts';
import type { Caller } from '../../shared/caller.ts';
import { isEmail } from '../../shared/email.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { addBusiness } from '../businesses/index.ts';
import type { Steps } from './context.ts';
import { MAIL_TOKEN_SECONDS } from './passwords/mail-tokens.ts';
import { checkPassword } from './passwords/password-rules.ts';
import { readMailToken, tokenInvalid } from './passwords/read-mail-token.ts';
import { deleteUnconfirmed, hasAccounts, insertUser } from './profile/queries.ts';

const LOCK = 7_301_966_003;
const MAX_NAME_LENGTH = 200;

export type FirstAccountInput = { token: string; businessName: string; email: string; password: string };

/** For whoever runs the service: makes the first account, within an hour. Null when there is one already. */
export async function firstAccountLink(ctx: Steps): Promise<string | null> {
  if (await hasAccounts(ctx.db)) return null;
  const expiresAt = ctx.now + MAIL_TOKEN_SECONDS;
  const token = ctx.accounts.mailTokens.issue({ kind: 'first-account', userId: '', stamp: '', expiresAt });
  return `${ctx.publicUrl()}/setup?token=${token}`;
}

/**
 * A confirmed user and their business. The link is void once anybody has an account: guests, and registrations that nobody has
 * confirmed, are none, so that strangers cannot make it void.
 */
export async function makeFirstAccount(ctx: Steps, input: FirstAccountInput): Promise<{ businessId: string }> {
  readMailToken(ctx, 'first-account', input.token);
  if (await hasAccounts(ctx.db)) throw tokenInvalid();
  const errors = checkFields(input);
  if (errors.length > 0) throw invalid(errors);
  const { email, businessName, password } = input;
  const [userId, businessId] = [newId('usr'), newId('biz')];
  const passwordHash = await ctx.accounts.passwords.hash(password);
  await ctx.within(businessId, callerOf(userId, email)).transaction(async (command) => {
    await lockFirstAccount(command.db);
    if (await hasAccounts(command.db)) throw tokenInvalid();
    await deleteUnconfirmed(command.db, email);
    const user = { id: userId, email, name: '', passwordHash, isConfirmed: true, isGuest: false };
    await insertUser(command.db, { ...user, createdAt: command.now });
    await command.emitAccount({ type: 'user.registered', userId, data: { email } });
    await addBusiness(command, { id: businessId, input: { name: businessName.trim() } });
  });
  return { businessId };
}

/** Of two who use the link at once, one finds the account of the other. */
const lockFirstAccount = (tx: Tx) => tx`select pg_advisory_xact_lock(${LOCK})`;

function checkFields({ businessName, email, password }: FirstAccountInput): FieldError[] {
  const errors: FieldError[] = [];
  const name = businessName.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    const message = `The business needs a name of 1 to ${MAX_NAME_LENGTH} characters.`;
    errors.push({ field: 'businessName', error: 'INVALID_VALUE', message });
  }
  if (!isEmail(email)) {
    errors.push({ field: 'email', error: 'INVALID_FORMAT', message: 'This is no e-mail address.' });
  }
  return [...errors, ...checkPassword(password, email, 'password')];
}

const callerOf = (userId: string, email: string): Caller => ({
  userId,
  provider: 'EMAIL',
  email,
  isGuest: false,
  isConfirmed: true,
  sessionId: null,
  keyId: null,
  permissions: new Map(),
});
