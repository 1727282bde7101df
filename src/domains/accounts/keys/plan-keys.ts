import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { hashApiKey, isJwt, MASK, maskKey } from './api-keys.ts';
import type { ApiKeyRow, NewApiKey } from './queries.ts';
import type { ApiTokenInput } from './schemas.ts';

const MIN_LENGTH = 12;

export type KeyPlan = {
  /** `field`: of the value, for an error. */
  made: { key: NewApiKey; field: string }[];
  kept: { id: string; name: string; expiresAt: number | null }[];
  revoked: string[];
  errors: FieldError[];
};

/** What a list of keys that was sent means for the keys that are there. Masked, or without a value: kept. Left out: revoked. */
export function planKeys(sent: readonly ApiTokenInput[], present: readonly ApiKeyRow[], nowSeconds: number): KeyPlan {
  const plan: KeyPlan = { made: [], kept: [], revoked: [], errors: [] };
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
      continue;
    }
    const field = `${at}.value`;
    const error = valueError(value, field);
    if (error) plan.errors.push(error);
    else plan.made.push({ field, key: { id, name, hash: hashApiKey(value!), lastFour: value!.slice(-4), expiresAt } });
  }
  plan.revoked = present.filter((key) => !seen.has(key.id)).map((key) => key.id);
  return plan;
}

function valueError(value: string | undefined, field: string): FieldError | null {
  if (!value) return { field, error: 'REQUIRED', message: `${field} is required.` };
  if (value.startsWith(MASK)) {
    return { field, error: 'INVALID_VALUE', message: `${field} is masked and fits no key that is there.` };
  }
  if (value.length < MIN_LENGTH) {
    return { field, error: 'TOO_SHORT', message: `${field} must have at least ${MIN_LENGTH} characters.` };
  }
  if (!/^[\x21-\x7e]+$/.test(value) || isJwt(value)) {
    return { field, error: 'INVALID_FORMAT', message: `${field} must be visible characters, and no access token.` };
  }
  return null;
}
