import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { hashApiKey, isJwt, isPublishable, MASK, maskKey, newApiKey } from './api-keys.ts';
import { findLimitErrors, isWider } from './key-limits.ts';
import { confirmedBy, createdBy, isManaged, isVisible, type KeySession, unconfirmedIn } from './key-session.ts';
import type { ApiKeyChange, ApiKeyRow, NewApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

const MIN_LENGTH = 12;
const MIN_DIFFERENT = 8;

type KeyPlan = {
  /** `field`: the path of the value, for error messages. `value`: the generated value, or null if the client chose it. */
  created: { key: NewApiKey; field: string; value: string | null }[];
  kept: ApiKeyChange[];
  revoked: string[];
  /** The IDs of keys that did not work somewhere and now do. */
  confirmed: string[];
  /** Whether the plan grants more access: a new key, a later expiry, wider limits, or a confirmation. */
  extendsAccess: boolean;
  errors: FieldError[];
};

/**
 * Compares the submitted keys with the existing ones. A masked value, or a known ID without a value, keeps the key. A new
 * entry without a value gets a generated one. Missing keys are revoked. Of a key that the session sees, but doesn't manage, only the
 * confirmation counts.
 */
export function planKeys(
  sent: readonly ApiTokenInput[],
  existing: readonly ApiKeyRow[],
  nowSeconds: number,
  session: KeySession,
): KeyPlan {
  const plan: KeyPlan = { created: [], kept: [], revoked: [], confirmed: [], extendsAccess: false, errors: [] };
  const existingById = new Map(existing.map((key) => [key.id, key]));
  const seen = new Set<string>();
  for (const [i, entry] of sent.entries()) {
    const at = `apiTokens[${i}]`;
    const id = entry.id ?? newId('key');
    const known = existingById.get(id);
    if (seen.has(id))
      plan.errors.push({ field: `${at}.id`, error: 'DUPLICATE', message: `${at}.id is listed more than once.` });
    seen.add(id);
    const isSameValue = entry.value === undefined || (known !== undefined && entry.value === maskKey(known.lastFour));
    const confirmation = known && entry.confirmed ? confirmedBy(known, session) : known;
    if (known && confirmation !== known && unconfirmedIn(known, session).length > 0) plan.confirmed.push(id);
    if (known && !isManaged(known, session)) {
      if (isVisible(known, session) && isSameValue) plan.kept.push({ ...known, ...confirmation });
      else
        plan.errors.push({
          field: `${at}.id`,
          error: 'DUPLICATE',
          message: `${at}.id belongs to another of your keys.`,
        });
      continue;
    }
    const name = entry.name ?? known?.name ?? '';
    const expiresAt = entry.expiresAt === undefined ? (known?.expiresAt ?? null) : entry.expiresAt;
    if (expiresAt !== null && expiresAt !== known?.expiresAt && expiresAt <= nowSeconds) {
      const field = `${at}.expiresAt`;
      plan.errors.push({ field, error: 'OUT_OF_RANGE', message: `${field} must be in the future.` });
    }
    const limits = {
      scopes: entry.scopes === undefined ? (known?.scopes ?? null) : entry.scopes,
      networks: entry.networks === undefined ? (known?.networks ?? null) : entry.networks,
    };
    plan.errors.push(...findLimitErrors(limits, at), ...findScopeErrors(limits.scopes, at, session));
    const { value } = entry;
    if (known && isSameValue) {
      plan.kept.push({ ...known, ...confirmation, name, expiresAt, ...limits });
      plan.extendsAccess ||= isLater(expiresAt, known.expiresAt) || isWider(limits, known);
      continue;
    }
    plan.extendsAccess = true;
    const field = `${at}.value`;
    const generated = value === undefined ? newApiKey() : null;
    const secret = generated ?? value!;
    const error = generated ? null : valueError(secret, field);
    const key = {
      id,
      name,
      hash: hashApiKey(secret),
      lastFour: secret.slice(-4),
      expiresAt,
      ...limits,
      ...createdBy(session),
    };
    if (error) plan.errors.push(error);
    else plan.created.push({ field, key, value: generated });
  }
  plan.revoked = existing.filter((key) => isManaged(key, session) && !seen.has(key.id)).map((key) => key.id);
  plan.extendsAccess ||= plan.confirmed.length > 0;
  return plan;
}

/** A session from single sign-on knows no other business. */
function findScopeErrors(scopes: ApiKeyRow['scopes'], at: string, { ssoBusiness }: KeySession): FieldError[] {
  if (ssoBusiness == null || !scopes || scopes.businesses.every((id) => id === ssoBusiness)) return [];
  const field = `${at}.scopes.businesses`;
  return [{ field, error: 'INVALID_VALUE', message: `${field} must contain only the business of this session.` }];
}

/** Null means that the key never expires. */
const isLater = (expiresAt: number | null, previous: number | null) =>
  previous !== null && (expiresAt === null || expiresAt > previous);

function valueError(value: string, field: string): FieldError | null {
  if (value.startsWith(MASK)) {
    return { field, error: 'INVALID_VALUE', message: `${field} is masked and does not match an existing key.` };
  }
  if (isPublishable(value)) {
    return { field, error: 'INVALID_VALUE', message: `${field} must not look like a publishable key.` };
  }
  if (value.length < MIN_LENGTH) {
    return { field, error: 'TOO_SHORT', message: `${field} must have at least ${MIN_LENGTH} characters.` };
  }
  if (!/^[\x21-\x7e]+$/.test(value) || isJwt(value)) {
    return {
      field,
      error: 'INVALID_FORMAT',
      message: `${field} must contain only printable ASCII characters without spaces, and must not be an access token.`,
    };
  }
  if (new Set(value).size < MIN_DIFFERENT) {
    const message = `${field} must have at least ${MIN_DIFFERENT} different characters. Omit it to generate a secure value.`;
    return { field, error: 'INVALID_VALUE', message };
  }
  return null;
}
