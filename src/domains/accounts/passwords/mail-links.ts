import type { FieldError } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';

/** The base URL of links in emails: our own pages, or the caller's site if it is allowed. Null if it is not allowed. */
export function mailLinkBase(
  { origins, publicUrl }: Pick<Steps, 'origins' | 'publicUrl'>,
  reserveDomain: string | undefined,
  businessId?: string,
): string | null {
  if (reserveDomain === undefined || reserveDomain === '') return publicUrl();
  const url = origins.linkBase(reserveDomain, businessId);
  // Use the origin only: a path such as `//evil.example` in `https://shop.example//evil.example` would change the target.
  return url?.origin ?? null;
}

export const badReserveDomain = (): FieldError => ({
  field: 'reserveDomain',
  error: 'INVALID_ORIGIN_URI',
  message: 'reserveDomain must be one of the allowed origins.',
});

export function mailLink(base: string, page: 'confirm' | 'reset-password', token: string): string {
  return `${base.replace(/\/+$/, '')}/${page}?token=${token}`;
}
