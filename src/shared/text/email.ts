const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * ASCII, a dot in the domain, no two dots in a row. Non-ASCII letters that look alike or become equal in lower case (the Kelvin
 * sign becomes a k) could give access to another person's account.
 */
export const EMAIL_PATTERN = `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`;
export const MAX_EMAIL_LENGTH = 254;

const pattern = new RegExp(EMAIL_PATTERN);

export const isEmail = (text: string) => text.length <= MAX_EMAIL_LENGTH && pattern.test(text);

/** Emails are compared case-insensitively. */
export const emailKey = (email: string) => email.toLowerCase();

export const domainOf = (email: string) => emailKey(email).slice(email.lastIndexOf('@') + 1);

/** The rate limit key of an email address: `ada+shop@` reaches the same person as `ada@`. */
export function mailboxKey(email: string): string {
  const key = emailKey(email);
  const plus = key.indexOf('+');
  const at = key.indexOf('@', plus);
  return plus === -1 || at === -1 ? key : key.slice(0, plus) + key.slice(at);
}
