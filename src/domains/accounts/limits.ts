import { isIPv6 } from 'node:net';
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

/** Who holds one IPv6 address holds its whole /64. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]!.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const groups = [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
