import { readFileSync } from 'node:fs';
import type { FieldError } from '../../../shared/errors.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;
/** A shorter local part, such as the `a` of a@example.com, is in too many good passwords. */
const MIN_LOCAL_PART = 3;

/** Of the most common passwords those that the other rules let pass, in lower case. */
const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

/** What is wrong with a new password; nothing when it may be used. */
export function checkPassword(password: string | undefined, email: string | null, field: string): FieldError[] {
  if (!password) return [{ field, error: 'PASSWORD_REQUIRED', message: `${field} is required.` }];
  const weakness = weaknessOf(password, email);
  return weakness ? [{ field, error: 'PASSWORD_WEAK', message: weakness }] : [];
}

function weaknessOf(password: string, email: string | null): string | null {
  const { length } = [...password];
  if (length < MIN_LENGTH) return `The password must have at least ${MIN_LENGTH} characters.`;
  if (length > MAX_LENGTH) return `The password must have at most ${MAX_LENGTH} characters.`;
  if (!/\p{L}/u.test(password) || !/\P{L}/u.test(password)) {
    return 'The password needs at least one letter and one digit or other sign.';
  }
  const lower = password.toLowerCase();
  if (COMMON.has(lower)) return 'This password is among the most common ones. Choose another.';
  const local = email?.split('@')[0]?.toLowerCase() ?? '';
  if (local.length >= MIN_LOCAL_PART && lower.includes(local))
    return 'The password must not contain the part of the e-mail before the @.';
  return null;
}
