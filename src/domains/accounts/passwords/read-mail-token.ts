import { invalidField } from '../../../shared/errors.ts';
import type { Command, Steps } from '../context.ts';
import type { MailToken, MailTokenKind } from './mail-tokens.ts';

/** Throws 422 if the token is forged, of another kind or expired. */
export function readMailToken(ctx: Command | Steps, kind: MailTokenKind, text: string): MailToken {
  const token = ctx.accounts.mailTokens.read(kind, text);
  if (!token) throw invalidToken();
  if (token.expiresAt <= ctx.now) {
    throw invalidField('token', 'TOKEN_EXPIRED', 'This link has expired. Request a new one.');
  }
  return token;
}

export const invalidToken = () =>
  invalidField('token', 'TOKEN_INVALID', 'This link is no longer valid. Request a new one.');
