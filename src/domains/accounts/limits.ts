import type { Config } from '../../config.ts';
import type { Limit } from '../../db/limits.ts';

/** How long those who try a password that was set by a mailed link are counted generously. */
export const RESET_SECONDS = 3600;

/** Tight for one account or phone, generous for one address, behind which a whole office may sit. */
export function accountLimits({ limits }: Config) {
  const failures = { max: limits.accountFailures, windowSeconds: 900 };
  const messages = { max: limits.messages, windowSeconds: 3600 };
  return {
    address: { name: 'address', max: limits.address, windowSeconds: 300 },
    login: { name: 'login', ...failures },
    loginAfterReset: { name: 'login-after-reset', max: failures.max * 100, windowSeconds: RESET_SECONDS },
    code: { name: 'code', ...failures },
    sms: { name: 'sms', ...messages },
  } satisfies Record<string, Limit>;
}
