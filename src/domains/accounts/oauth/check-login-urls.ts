import type { FieldError } from '../../../shared/errors.ts';
import type { Origins } from '../../../shared/security/origins.ts';

/** Validates the origin of a login and the URL that the identity provider redirects to. */
export function checkLoginUrls(origins: Origins, originUrl: string, redirectUrl: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!origins.isOAuthOrigin(originUrl)) errors.push(badOrigin());
  const plain = URL.canParse(redirectUrl) && !/[?#]/.test(redirectUrl);
  if (!plain || !origins.isOAuthRedirect(redirectUrl)) {
    errors.push({
      field: 'redirectUrl',
      error: 'INVALID_REDIRECT_URI',
      message: 'redirectUrl must be one of the allowed redirect URLs, without a query or fragment.',
    });
  }
  return errors;
}

export const badOrigin = (): FieldError => ({
  field: 'originUrl',
  error: 'INVALID_ORIGIN_URI',
  message: 'originUrl must be one of the allowed origins.',
});
