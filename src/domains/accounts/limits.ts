import type { Config } from '../../config.ts';
import type { Limit } from '../../db/limits.ts';

/** Tight for one account or phone, generous for one address, behind which a whole office may sit. */
export function accountLimits({ limits }: Config) {
  const failures = { max: limits.accountFailures, windowSeconds: 900 };
  const messages = { max: limits.messages, windowSeconds: 3600 };
  return {
    address: { name: 'address', max: limits.address, windowSeconds: 300 },
    login: { name: 'login', ...failures },
    code: { name: 'code', ...failures },
    mail: { name: 'mail', ...messages },
    sms: { name: 'sms', ...messages },
  } satisfies Record<string, Limit>;
}
