import { BlockList, isIPv6 } from 'node:net';
import type { Db } from '../../../db/sql.ts';
import { type Caller, may } from '../../../shared/security/caller.ts';
import { type Credential, isConfirmed, rightsOf } from '../../../shared/security/rights.ts';
import { findCallerByKeyId, type KeyCallerRow } from '../keys/queries.ts';
import { type CallerRow, findAccount, findCallerBySession, type SessionCallerRow } from './queries.ts';

/** Broadcasts about the customer don't tell when the ADMIN of a support session loses the role. */
const SUPPORT_RECHECK_SECONDS = 1;

/** `changesAt`: when the permissions change without a broadcast, because a grace period ends. */
type ReadCaller = { caller: Caller; changesAt: number };

export function callerOfSession(row: SessionCallerRow, nowSeconds: number): ReadCaller {
  const { sessionId, ssoBusiness, supportBusiness } = row;
  const credential: Credential = supportBusiness
    ? { kind: 'SUPPORT', businessId: supportBusiness }
    : ssoBusiness
      ? { kind: 'SSO', businessId: ssoBusiness }
      : { kind: 'SESSION' };
  const read = toCaller(row, credential, { sessionId, keyId: null }, nowSeconds);
  return row.supportBy ? { ...read, changesAt: nowSeconds + SUPPORT_RECHECK_SECONDS } : read;
}

/** A support session lasts only while the ADMIN who started it could start it. */
export async function isSupportAllowed(
  db: Db,
  { supportBy, supportBusiness }: SessionCallerRow,
  nowSeconds: number,
): Promise<boolean> {
  if (!supportBy || !supportBusiness) return true;
  const admin = await readCaller(db, { userId: supportBy, sessionId: null, keyId: null }, nowSeconds);
  return admin !== null && may(admin, supportBusiness, 'ADMIN');
}

export function callerOfKey(row: KeyCallerRow, nowSeconds: number): ReadCaller {
  const { keyId, networks } = row;
  const { caller, changesAt } = toCaller(row, { kind: 'KEY', ...row }, { sessionId: null, keyId }, nowSeconds);
  return {
    caller: {
      ...caller,
      ...(isConfirmed(row, row) ? {} : { isUnconfirmed: true }),
      ...(networks ? { allowsAddress: createAddressCheck(networks) } : {}),
    },
    changesAt,
  };
}

type Id = Pick<Caller, 'sessionId' | 'keyId'>;

/**
 * Reads the caller again, for work that has waited, such as for a lock. Null if the session or key has ended. With neither, as in
 * background work, the caller is the account itself.
 */
export async function readCaller(
  db: Db,
  { userId, sessionId, keyId }: Id & Pick<Caller, 'userId'>,
  nowSeconds: number,
) {
  if (sessionId !== null) {
    const row = await findCallerBySession(db, sessionId, nowSeconds);
    return row && callerOfSession(row, nowSeconds).caller;
  }
  if (keyId !== null) {
    const row = await findCallerByKeyId(db, userId, keyId, nowSeconds);
    return row && callerOfKey(row, nowSeconds).caller;
  }
  const row = await findAccount(db, userId);
  return row && toCaller(row, { kind: 'ACCOUNT' }, { sessionId, keyId }, nowSeconds).caller;
}

function toCaller(row: CallerRow, credential: Credential, id: Id, nowSeconds: number): ReadCaller {
  const { permissions, withheld, requiredBy, limits, changesAt } = rightsOf(credential, row, row.grants, nowSeconds);
  const { userId, provider, email, name, isGuest, isConfirmed: hasConfirmedEmail } = row;
  const factors = { methods: row.secondFactors, hasPassword: row.hasPassword, loggedInAt: row.createdAt, requiredBy };
  const account = { userId, provider, email, name, isGuest, isConfirmed: hasConfirmedEmail, ...id };
  return { caller: { ...account, permissions, withheld, factors, ...(limits ? { limits } : {}) }, changesAt };
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
