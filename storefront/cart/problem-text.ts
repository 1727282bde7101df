/** Errors from the service, in the site's language. */
import type { Texts } from '../texts/index.ts';

type Detail = { field: string; error: string; message: string };

/** The text of an error, or the service's message if there is none. */
export function problemText({ field, error, message }: Detail, { errors }: Texts): string {
  const left = /Only (\d+) left/.exec(message)?.[1];
  if (error === 'INSUFFICIENT_STOCK') return left ? errors.onlyLeft.replace('{count}', left) : errors.soldOut;
  if (field === 'email' && /^(INVALID_FORMAT|TOO_SHORT|TOO_LONG)$/.test(error)) return errors.email;
  if (error === 'PASSWORD_WRONG') {
    if (field === 'oldPassword') return errors.oldPasswordWrong;
    // Logins and confirmations have the same code and field.
    return message.includes('email') ? errors.loginWrong : errors.PASSWORD_WRONG;
  }
  return (errors as Record<string, string>)[error] ?? message;
}

/** The first error of each field. */
export function problemTexts(details: readonly Detail[], texts: Texts): Record<string, string> {
  const found: Record<string, string> = {};
  for (const detail of details) found[detail.field] ??= problemText(detail, texts);
  return found;
}
