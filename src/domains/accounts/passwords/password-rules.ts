import { readFileSync } from 'node:fs';
import type { FieldError } from '../../../shared/errors.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
/** A shorter local part, such as the `a` of a@example.com, occurs in too many good passwords. */
const MIN_LOCAL_PART = 3;

/** The most common passwords that pass the other rules, in lower case. */
const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

/** Validates a new password. */
export function checkPassword(password: string | undefined, email: string | null, field: string): FieldError[] {
  if (!password) return [{ field, error: 'PASSWORD_REQUIRED', message: `${field} is required.` }];
  const weakness = findWeakness(password, email);
  return weakness ? [{ field, error: 'PASSWORD_WEAK', message: weakness }] : [];
}

function findWeakness(password: string, email: string | null): string | null {
  const { length } = [...password];
  if (length < MIN_LENGTH) return `The password must be at least ${MIN_LENGTH} characters long.`;
  if (length > MAX_LENGTH) return `The password must be at most ${MAX_LENGTH} characters long.`;
  if (!/\p{L}/u.test(password) || !/\P{L}/u.test(password)) {
    return 'The password must contain at least one letter and one number or symbol.';
  }
  const lower = password.toLowerCase();
  if (COMMON.has(lower)) return 'This password is too common. Choose another one.';
  const local = email?.split('@')[0]?.toLowerCase() ?? '';
  if (local.length >= MIN_LOCAL_PART && lower.includes(local))
    return 'The password must not contain the part of your email before the @.';
  return null;
}
