import type { FieldError } from '../../../shared/errors.ts';
import type { Origins } from '../../../shared/origins.ts';

/** What is wrong with where a login begins and where the identity provider sends the person back to. */
export function checkAddresses(origins: Origins, originUrl: string, redirectUrl: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!origins.isOAuthOrigin(originUrl)) errors.push(badOrigin());
  const plain = URL.canParse(redirectUrl) && !/[?#]/.test(redirectUrl);
  if (!plain || !origins.isOAuthRedirect(redirectUrl)) {
    errors.push({
      field: 'redirectUrl',
      error: 'INVALID_REDIRECT_URI',
      message: 'redirectUrl is not one of the allowed addresses, or has a query.',
    });
  }
  return errors;
}

export const badOrigin = (): FieldError => ({
  field: 'originUrl',
  error: 'INVALID_ORIGIN_URI',
  message: 'originUrl is not one of the allowed origins.',
});
