import type { Tx } from '../../db/sql.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type Caller, NO_FACTORS } from '../../shared/security/caller.ts';
import { isEmail } from '../../shared/text/email.ts';
import { addBusiness } from '../businesses/index.ts';
import { command, type Query } from './context.ts';
import { MAIL_TOKEN_SECONDS } from './passwords/mail-tokens.ts';
import { checkPassword } from './passwords/password-rules.ts';
import { invalidToken, readMailToken } from './passwords/read-mail-token.ts';
import { deleteUnconfirmed, hasAccounts, insertUser } from './profile/queries.ts';

const LOCK = 7_301_966_003;
const MAX_NAME_LENGTH = 200;

export type FirstAccountInput = { token: string; businessName: string; email: string; password: string };

/** A link for the operator that creates the first account. It expires after an hour. Null when an account exists. */
export async function firstAccountLink(ctx: Query): Promise<string | null> {
  if (await hasAccounts(ctx.db)) return null;
  const expiresAt = ctx.now + MAIL_TOKEN_SECONDS;
  const token = ctx.accounts.mailTokens.issue({ kind: 'first-account', userId: '', stamp: '', expiresAt });
  return `${ctx.publicUrl()}/setup?token=${token}`;
}

/**
 * Creates a confirmed user and their business. The link becomes invalid once an account exists. Guests and unconfirmed
 * registrations don't count, so strangers can't invalidate the link.
 */
export const createFirstAccount = command({
  async prepare(ctx, input: FirstAccountInput) {
    readMailToken(ctx, 'first-account', input.token);
    if (await hasAccounts(ctx.db)) throw invalidToken();
    const errors = checkFields(input);
    if (errors.length > 0) throw invalid(errors);
    const { email, businessName, password } = input;
    return { email, businessName: businessName.trim(), passwordHash: await ctx.accounts.passwords.hash(password) };
  },
  async execute(ctx, { email, businessName, passwordHash }) {
    const [userId, businessId] = [newId('usr'), newId('biz')];
    const { db: tx, now } = ctx;
    await lockFirstAccount(tx);
    if (await hasAccounts(tx)) throw invalidToken();
    await deleteUnconfirmed(tx, email);
    const user = { id: userId, email, name: '', passwordHash, isConfirmed: true, isGuest: false };
    await insertUser(tx, { ...user, createdAt: now });
    const owner = ctx.within(businessId, callerOf(userId, email));
    owner.emitAccount({ type: 'user.registered', userId, data: { email } });
    await addBusiness(owner, { id: businessId, input: { name: businessName } });
    return { businessId };
  },
});

/** Serializes concurrent uses of the link, so that only one of them creates an account. */
const lockFirstAccount = (tx: Tx) => tx`select pg_advisory_xact_lock(${LOCK})`;

function checkFields({ businessName, email, password }: FirstAccountInput): FieldError[] {
  const errors: FieldError[] = [];
  const name = businessName.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    const message = `Enter a business name of 1 to ${MAX_NAME_LENGTH} characters.`;
    errors.push({ field: 'businessName', error: 'INVALID_VALUE', message });
  }
  if (!isEmail(email)) {
    errors.push({ field: 'email', error: 'INVALID_FORMAT', message: 'Enter a valid email address.' });
  }
  return [...errors, ...checkPassword(password, email, 'password')];
}

const callerOf = (userId: string, email: string): Caller => ({
  userId,
  provider: 'EMAIL',
  email,
  isGuest: false,
  isConfirmed: true,
  name: '',
  sessionId: null,
  keyId: null,
  factors: NO_FACTORS,
  permissions: new Map(),
});
