import { maskKey } from './api-keys.ts';
import { isVisible, type KeySession, unconfirmedIn } from './key-session.ts';
import type { ApiKeyRow } from './queries.ts';
import type { ApiToken } from './schemas.ts';

/** The keys that the session sees, masked. Single sign-on to one business doesn't reveal others. */
export const showKeys = (keys: readonly ApiKeyRow[], session: KeySession): ApiToken[] =>
  keys.filter((key) => isVisible(key, session)).map((key) => showKey(key, session));

function showKey(key: ApiKeyRow, session: KeySession): ApiToken {
  const { id, name, lastFour, expiresAt, lastUsedAt, scopes, networks } = key;
  const { ssoBusiness } = session;
  const isShown = (businessId: string) => ssoBusiness == null || businessId === ssoBusiness;
  const open = unconfirmedIn(key, session);
  const businesses = open === 'EVERYWHERE' ? [] : open.filter(isShown);
  return {
    id,
    name,
    value: maskKey(lastFour),
    provider: 'API',
    ...(open === 'EVERYWHERE' || businesses.length > 0 ? { status: 'UNCONFIRMED' } : {}),
    ...(businesses.length > 0 ? { unconfirmedIn: businesses } : {}),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(lastUsedAt === null ? {} : { lastUsedAt }),
    ...(scopes === null ? {} : { scopes: { ...scopes, businesses: scopes.businesses.filter(isShown) } }),
    ...(networks === null ? {} : { networks }),
  };
}
