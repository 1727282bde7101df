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
    /** Values that are no key, and values that are chosen for a key: both tell whether somebody has it. */
    key: { name: 'key', max: limits.address, windowSeconds: 300 },
    sms: { name: 'sms', ...messages },
    smsAddress: { name: 'sms-address', max: limits.sms.address, windowSeconds: 3600 },
    smsCountry: { name: 'sms-country', max: limits.sms.country, windowSeconds: 3600 },
  } satisfies Record<string, Limit>;
}
