import { CodeRefused, type Identity } from './port.ts';

/** The limit in OpenID Connect. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 200;

type IdClaims = Record<string, unknown> & { iss: string; sub: string };

/**
 * Converts claims of any type and size to storable values. A subject is the key of an account: it is accepted as is
 * or rejected, never cleaned, because two subjects must not become one.
 */
export function toIdentity(claims: IdClaims): Identity {
  const { iss, sub, email, email_verified: verified } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isStorable(sub)) {
    throw new CodeRefused('The subject of the ID token is invalid');
  }
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && isStorable(email) ? email.trim() || null : null,
    emailVerified: verified === undefined || verified === null ? null : verified === true || verified === 'true',
    name: oneLine(claims.name) || oneLine([claims.given_name, claims.family_name].map(oneLine).join(' ')),
  };
}

const isStorable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

const oneLine = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, MAX_NAME_LENGTH)
        .toWellFormed()
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
    : '';
