import { badRequest } from '../../shared/errors.ts';
import type { AccountsContext } from './context.ts';
import { emailLogin } from './email-login.ts';
import { guestLogin } from './guest-login.ts';
import { addressKey } from './limits.ts';
import { oauthLogin } from './oauth-login.ts';
import { providerKind } from './providers.ts';
import type { AuthResult, LoginInput } from './schemas.ts';

export async function login(context: AccountsContext, input: LoginInput, address: string): Promise<AuthResult> {
  const kind = providerKind(context, input.provider);
  if (kind === null) throw badRequest('Invalid provider.');
  await context.limiter.spend(context.limits.address, addressKey(address));
  if (kind === 'EMAIL') return emailLogin(context, input);
  return kind === 'GUEST' ? guestLogin(context, input) : oauthLogin(context, input, address);
}
