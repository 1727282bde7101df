/** What a session can do with the API keys of its account. Pure. */
import {
  isConfirmed,
  isConfirmedIn,
  type KeyConfirmations,
  type Membership,
  reaches,
} from '../../../shared/security/rights.ts';
import type { SessionCallerRow } from '../sessions/queries.ts';
import type { ApiKeyRow } from './queries.ts';

export type KeySession = Pick<SessionCallerRow, 'grants' | 'keyGeneration' | 'ssoBusiness'>;

type Confirmation = Pick<ApiKeyRow, 'generation' | 'confirmations'>;

/** A session from single sign-on sees the keys that act in its business. */
export const isVisible = (key: ApiKeyRow, { ssoBusiness }: KeySession): boolean =>
  ssoBusiness == null || reaches(key, ssoBusiness);

/** A session from single sign-on changes and revokes only keys that are limited to its business. */
export const isManaged = (key: ApiKeyRow, { ssoBusiness }: KeySession): boolean =>
  ssoBusiness == null || key.ssoBusiness === ssoBusiness;

/** The businesses that the session can confirm keys for. Where single sign-on is required, a confirmation in another login has no effect. */
const confirmable = ({ grants, ssoBusiness }: KeySession): Membership[] =>
  grants.filter(({ businessId }) => ssoBusiness == null || businessId === ssoBusiness);

/** The columns of a key that this session creates: it has the limits of the session, and is confirmed where the session has access. */
export function createdBy(session: KeySession): Confirmation & Pick<ApiKeyRow, 'ssoBusiness'> {
  const ssoBusiness = session.ssoBusiness ?? null;
  return { ssoBusiness, generation: session.keyGeneration, confirmations: confirmationsBy(session, {}) };
}

/** A key after its owner has confirmed it in this session. */
export function confirmedBy(key: ApiKeyRow, session: KeySession): Confirmation {
  const generation = isManaged(key, session) ? session.keyGeneration : key.generation;
  return { generation, confirmations: confirmationsBy(session, key.confirmations) };
}

function confirmationsBy(session: KeySession, previous: KeyConfirmations): KeyConfirmations {
  const isSso = session.ssoBusiness != null;
  const added = confirmable(session).map(({ businessId, keyPolicy: policy }) => {
    const known = previous[businessId];
    return [
      businessId,
      { policy, sso: isSso || (known !== undefined && known.policy >= policy && known.sso) },
    ] as const;
  });
  return { ...previous, ...Object.fromEntries(added) };
}

/** Where the key doesn't work until it is confirmed: 'EVERYWHERE', or these businesses. */
export function unconfirmedIn(key: ApiKeyRow, { grants, keyGeneration }: KeySession): 'EVERYWHERE' | string[] {
  if (!isConfirmed(key, { keyGeneration })) return 'EVERYWHERE';
  const open = grants.filter((each) => reaches(key, each.businessId) && !isConfirmedIn(key, each));
  return [...new Set(open.map(({ businessId }) => businessId))];
}
