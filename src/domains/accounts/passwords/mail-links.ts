import type { FieldError } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';

/** Where links in a mail lead: our own pages, or the caller's site when it may be named. Null: it may not. */
export function mailLinkBase(
  { origins, publicUrl }: Pick<Steps, 'origins' | 'publicUrl'>,
  reserveDomain: string | undefined,
): string | null {
  if (reserveDomain === undefined || reserveDomain === '') return publicUrl();
  const url = origins.linkBase(reserveDomain);
  // The origin alone: a path such as the one of `https://shop.example//evil.example` changes where the link leads.
  return url?.origin ?? null;
}

export const badReserveDomain = (): FieldError => ({
  field: 'reserveDomain',
  error: 'INVALID_ORIGIN_URI',
  message: 'reserveDomain is not one of the allowed origins.',
});

export function mailLink(base: string, page: 'confirm' | 'reset-password', token: string): string {
  return `${base.replace(/\/+$/, '')}/${page}?token=${token}`;
}
