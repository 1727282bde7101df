import type { FieldError } from '../../../shared/errors.ts';
import type { Origins } from '../../../shared/security/origins.ts';

/**
 * Validates the origin of a login and the URL that the identity provider redirects to. `ssoBusiness`: the business whose single sign-on
 * it is. Each business has a separate redirect URL, so that a provider can't send people to another provider and receive that provider's code.
 */
export function checkLoginUrls(
  origins: Origins,
  originUrl: string,
  redirectUrl: string,
  ssoBusiness: string | null,
): FieldError[] {
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
  const isOwn = ssoBusiness !== null && redirectUrl.endsWith(`/sso/${ssoBusiness}`);
  if (plain && ssoBusiness !== null && !isOwn) {
    errors.push({
      field: 'redirectUrl',
      error: 'INVALID_REDIRECT_URI',
      message: 'The path of redirectUrl must end with /sso/ and the ID of the business.',
    });
  }
  return errors;
}

export const badOrigin = (): FieldError => ({
  field: 'originUrl',
  error: 'INVALID_ORIGIN_URI',
  message: 'originUrl must be one of the allowed origins.',
});
