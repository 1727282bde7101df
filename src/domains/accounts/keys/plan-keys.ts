import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { hashApiKey, isJwt, isPublishable, MASK, maskKey, newApiKey } from './api-keys.ts';
import { findLimitErrors, isWider } from './key-limits.ts';
import type { ApiKeyChange, ApiKeyRow, NewApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

const MIN_LENGTH = 12;
const MIN_DIFFERENT = 8;

type KeyPlan = {
  /** `field`: the path of the value, for error messages. `value`: the generated value, or null if the client chose it. */
  created: { key: NewApiKey; field: string; value: string | null }[];
  kept: ApiKeyChange[];
  revoked: string[];
  /** Whether the plan grants more access: a new key, a later expiry, or wider limits. */
  extendsAccess: boolean;
  errors: FieldError[];
};

/**
 * Compares the submitted keys with the existing ones. A masked value, or a known ID without a value, keeps the key. A new
 * entry without a value gets a generated one. Missing keys are revoked.
 */
export function planKeys(sent: readonly ApiTokenInput[], existing: readonly ApiKeyRow[], nowSeconds: number): KeyPlan {
  const plan: KeyPlan = { created: [], kept: [], revoked: [], extendsAccess: false, errors: [] };
  const existingById = new Map(existing.map((key) => [key.id, key]));
  const seen = new Set<string>();
  for (const [i, entry] of sent.entries()) {
    const at = `apiTokens[${i}]`;
    const id = entry.id ?? newId('key');
    const known = existingById.get(id);
    if (seen.has(id))
      plan.errors.push({ field: `${at}.id`, error: 'DUPLICATE', message: `${at}.id is listed more than once.` });
    seen.add(id);
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
    plan.errors.push(...findLimitErrors(limits, at));
    const { value } = entry;
    if (known && (value === undefined || value === maskKey(known.lastFour))) {
      plan.kept.push({ id, name, expiresAt, ...limits });
      plan.extendsAccess ||= isLater(expiresAt, known.expiresAt) || isWider(limits, known);
      continue;
    }
    plan.extendsAccess = true;
    const field = `${at}.value`;
    const generated = value === undefined ? newApiKey() : null;
    const secret = generated ?? value!;
    const error = generated ? null : valueError(secret, field);
    const key = { id, name, hash: hashApiKey(secret), lastFour: secret.slice(-4), expiresAt, ...limits };
    if (error) plan.errors.push(error);
    else plan.created.push({ field, key, value: generated });
  }
  plan.revoked = existing.filter((key) => !seen.has(key.id)).map((key) => key.id);
  return plan;
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
