import { inTransaction } from '../../db/connection.ts';
import { invalidField } from '../../shared/errors.ts';
import type { AccountsContext } from './context.ts';
import type { MailToken, MailTokenKind } from './mail-tokens.ts';
import { updateConfirmed } from './user-queries.ts';

/** Opens the account. The token stays good for its hour, so that a second click on the button is no error. */
export async function confirm(context: AccountsContext, text: string): Promise<void> {
  const { userId, passwordVersion } = readMailToken(context, 'confirm', text);
  const now = context.clock.seconds();
  const done = await inTransaction(context.pool, (tx) => updateConfirmed(tx, userId, passwordVersion, now));
  if (!done) throw tokenInvalid();
}

export function readMailToken({ mailTokens, clock }: AccountsContext, kind: MailTokenKind, text: string): MailToken {
  const token = mailTokens.read(kind, text);
  if (!token) throw tokenInvalid();
  if (token.expiresAt <= clock.seconds()) {
    throw invalidField('token', 'TOKEN_EXPIRED', 'The link has expired. Ask for a new one.');
  }
  return token;
}

export const tokenInvalid = () =>
  invalidField('token', 'TOKEN_INVALID', 'The link is not valid any more. Ask for a new one.');
