import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { hashApiKey, isJwt, MASK, maskKey, newApiKey } from './api-keys.ts';
import type { ApiKeyRow, NewApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

const MIN_LENGTH = 12;
const MIN_DIFFERENT = 8;

type KeyPlan = {
  /** `field`: of the value, for an error. `value`: when the service has made it. */
  made: { key: NewApiKey; field: string; value: string | null }[];
  kept: { id: string; name: string; expiresAt: number | null }[];
  revoked: string[];
  /** There is more access afterwards: a new key, or one that lasts longer. */
  grows: boolean;
  errors: FieldError[];
};

/**
 * What a list of keys that was sent means for the keys that are there. Masked, or known and without a value: kept. New and
 * without a value: made by the service. Left out: revoked.
 */
export function planKeys(sent: readonly ApiTokenInput[], present: readonly ApiKeyRow[], nowSeconds: number): KeyPlan {
  const plan: KeyPlan = { made: [], kept: [], revoked: [], grows: false, errors: [] };
  const former = new Map(present.map((key) => [key.id, key]));
  const seen = new Set<string>();
  for (const [i, entry] of sent.entries()) {
    const at = `apiTokens[${i}]`;
    const id = entry.id ?? newId('key');
    const known = former.get(id);
    if (seen.has(id)) plan.errors.push({ field: `${at}.id`, error: 'DUPLICATE', message: `${at}.id appears twice.` });
    seen.add(id);
    const name = entry.name ?? known?.name ?? '';
    const expiresAt = entry.expiresAt === undefined ? (known?.expiresAt ?? null) : entry.expiresAt;
    if (expiresAt !== null && expiresAt !== known?.expiresAt && expiresAt <= nowSeconds) {
      const field = `${at}.expiresAt`;
      plan.errors.push({ field, error: 'OUT_OF_RANGE', message: `${field} must lie in the future.` });
    }
    const { value } = entry;
    if (known && (value === undefined || value === maskKey(known.lastFour))) {
      plan.kept.push({ id, name, expiresAt });
      plan.grows ||= isLater(expiresAt, known.expiresAt);
      continue;
    }
    plan.grows = true;
    const field = `${at}.value`;
    const made = value === undefined ? newApiKey() : null;
    const chosen = made ?? value!;
    const error = made ? null : valueError(chosen, field);
    const key = { id, name, hash: hashApiKey(chosen), lastFour: chosen.slice(-4), expiresAt };
    if (error) plan.errors.push(error);
    else plan.made.push({ field, key, value: made });
  }
  plan.revoked = present.filter((key) => !seen.has(key.id)).map((key) => key.id);
  return plan;
}

/** Null: never. */
const isLater = (expiresAt: number | null, former: number | null) =>
  former !== null && (expiresAt === null || expiresAt > former);

function valueError(value: string, field: string): FieldError | null {
  if (value.startsWith(MASK)) {
    return { field, error: 'INVALID_VALUE', message: `${field} is masked and fits no key that is there.` };
  }
  if (value.length < MIN_LENGTH) {
    return { field, error: 'TOO_SHORT', message: `${field} must have at least ${MIN_LENGTH} characters.` };
  }
  if (!/^[\x21-\x7e]+$/.test(value) || isJwt(value)) {
    return { field, error: 'INVALID_FORMAT', message: `${field} must be visible characters, and no access token.` };
  }
  if (new Set(value).size < MIN_DIFFERENT) {
    const message = `${field} must have at least ${MIN_DIFFERENT} different characters. Left out, a good one is made.`;
    return { field, error: 'INVALID_VALUE', message };
  }
  return null;
}
