import type { Limits } from '../../db/limits.ts';
import type { Deps } from '../../deps.ts';
import type { IdentityProvider } from '../../providers/oauth/port.ts';
import type { accountLimits } from './limits.ts';
import type { Line } from './line.ts';
import type { MailTokens } from './mail-tokens.ts';
import type { Passwords } from './passwords.ts';
import type { Tokens } from './tokens.ts';

/** What the use cases of this domain work with. */
export type AccountsContext = Deps & {
  tokens: Tokens;
  mailTokens: MailTokens;
  passwords: Passwords;
  limiter: Limits;
  limits: ReturnType<typeof accountLimits>;
  /** By account: those who try its password. */
  inLine: Line;
  /** Null: no identity provider is set. */
  idp: IdentityProvider | null;
};
