import { BlockList, isIPv6 } from 'node:net';
import type { Caller, CallerLimits, Permission } from '../../../shared/security/caller.ts';
import type { Scopes } from '../keys/schemas.ts';

/** The columns of a key or session that limit its caller. */
export type LimitColumns = {
  scopes?: Scopes | null;
  networks?: string[] | null;
  ssoBusiness?: string | null;
  supportBusiness?: string | null;
};

/** Reduces the permissions of the account to those of the key or session, so that no later check can grant more. */
export function limitCaller(caller: Caller, row: LimitColumns): Caller {
  const { scopes, networks } = row;
  const limits = limitsOf(row);
  const allowsAddress = networks ? createAddressCheck(networks) : undefined;
  return {
    ...caller,
    ...(limits ? { limits, permissions: permissionsWithin(caller, limits, scopes ?? null) } : {}),
    ...(allowsAddress ? { allowsAddress } : {}),
  };
}

function limitsOf({ scopes, ssoBusiness, supportBusiness }: LimitColumns): CallerLimits | null {
  if (scopes) return { kind: 'KEY', businesses: new Set(scopes.businesses) };
  if (supportBusiness) return { kind: 'SUPPORT', businesses: new Set([supportBusiness]) };
  return ssoBusiness ? { kind: 'SSO', businesses: new Set([ssoBusiness]) } : null;
}

function permissionsWithin({ permissions }: Caller, { kind, businesses }: CallerLimits, scopes: Scopes | null) {
  const within = new Map<string, ReadonlySet<Permission>>();
  if (kind === 'SUPPORT') return within;
  for (const id of businesses) {
    const granted = permissions.get(id);
    if (granted) within.set(id, scopes ? intersect(granted, new Set(scopes.permissions)) : granted);
  }
  return within;
}

/** ADMIN means all permissions, both in the account and in the limits. */
function intersect(granted: ReadonlySet<Permission>, scope: ReadonlySet<Permission>): ReadonlySet<Permission> {
  if (scope.has('ADMIN')) return granted;
  return granted.has('ADMIN') ? scope : new Set([...scope].filter((each) => granted.has(each)));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** An IPv4 network also contains its addresses in IPv6 notation (`::ffff:192.0.2.1`). */
function createAddressCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = familyOf(address) === 'ipv6' ? '128' : '32'] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}
