/** The limits of an API key: its scopes and networks. Pure. */
import { parseNetwork } from '../../../providers/outbound/addresses.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { Scopes } from './schemas.ts';

type KeyLimits = { scopes: Scopes | null; networks: string[] | null };

export function findLimitErrors({ networks }: KeyLimits, at: string): FieldError[] {
  return (networks ?? []).flatMap((network, i) => {
    if (parseNetwork(network)) return [];
    const field = `${at}.networks[${i}]`;
    const message = `${field} must be an IP address or a network, for example 203.0.113.0/24.`;
    return [{ field, error: 'INVALID_FORMAT', message }];
  });
}

/** Whether a key with these limits can do anything that it couldn't do before. */
export const isWider = (limits: KeyLimits, previous: KeyLimits): boolean =>
  addsTo(limits.networks, previous.networks) ||
  addsTo(limits.scopes?.businesses ?? null, previous.scopes?.businesses ?? null) ||
  addsTo(limits.scopes?.permissions ?? null, previous.scopes?.permissions ?? null);

/** Null means no limit. */
function addsTo(list: readonly string[] | null, previous: readonly string[] | null): boolean {
  if (previous === null) return false;
  return list === null || list.some((each) => !previous.includes(each));
}
