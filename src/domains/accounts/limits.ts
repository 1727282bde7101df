import type { Config } from '../../config.ts';
import type { Limit } from '../../db/limits.ts';

/** The number of clients that can request login codes for one mailbox before its owner has to wait. */
const CLIENTS_PER_MAILBOX = 4;

/** Limits are strict per account or phone number, and generous per IP address, which a whole office may share. */
export function accountLimits({ limits }: Config) {
  const failures = { max: limits.accountFailures, windowSeconds: 900 };
  const messages = { max: limits.messages, windowSeconds: 3600 };
  return {
    address: { name: 'address', max: limits.address, windowSeconds: 300 },
    login: { name: 'login', ...failures },
    code: { name: 'code', ...failures },
    /** Lookups of DNS records by business. */
    dns: { name: 'dns', max: 30, windowSeconds: 300 },
    codeMails: { name: 'code-mails', ...messages },
    /** For each mailbox, across all clients. */
    codeMailbox: { name: 'code-mailbox', max: limits.messages * CLIENTS_PER_MAILBOX, windowSeconds: 3600 },
    factor: { name: 'factor', ...failures },
    /** Keeps someone who knows the password from guessing codes for months. */
    factorDay: { name: 'factor-day', max: limits.accountFailures * 3, windowSeconds: 86_400 },
    /** Counts unknown keys and values chosen for new keys, because both can reveal whether someone else uses that value. */
    key: { name: 'key', max: limits.address, windowSeconds: 300 },
    sms: { name: 'sms', ...messages },
    smsAddress: { name: 'sms-address', max: limits.sms.address, windowSeconds: 3600 },
    smsCountry: { name: 'sms-country', max: limits.sms.country, windowSeconds: 3600 },
  } satisfies Record<string, Limit>;
}
