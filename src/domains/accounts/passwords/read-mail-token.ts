import { invalidField } from '../../../shared/errors.ts';
import type { Command, Steps } from '../context.ts';
import type { MailToken, MailTokenKind } from './mail-tokens.ts';

/** Raises 422 for one that is not ours, is for something else or has expired. */
export function readMailToken(ctx: Command | Steps, kind: MailTokenKind, text: string): MailToken {
  const token = ctx.accounts.mailTokens.read(kind, text);
  if (!token) throw tokenInvalid();
  if (token.expiresAt <= ctx.now) {
    throw invalidField('token', 'TOKEN_EXPIRED', 'The link has expired. Ask for a new one.');
  }
  return token;
}

export const tokenInvalid = () =>
  invalidField('token', 'TOKEN_INVALID', 'The link is not valid any more. Ask for a new one.');
