import { type FieldError, notFound } from '../../../shared/errors.ts';
import { withoutEnd } from '../../../shared/text/text.ts';
import { findBusinessById } from '../../businesses/index.ts';
import type { Steps } from '../context.ts';

/** The site that requests an email: `reserveDomain` is its origin, `businessId` the business of a storefront. */
type RequestingSite = { reserveDomain?: string | undefined; businessId?: string | undefined };

/** The target of the links in an email, and the name of the business. `isSameHost`: whether the target is the requesting host. */
type MailSite = { linkBase: string; isSameHost: boolean; name: string };

/**
 * With a business, links open its storefront. Its owner can read everything that is sent to a storefront host, so links with a
 * secret lead to a host only if the operator trusts it, otherwise to the same storefront under our own URL. Null if `reserveDomain` is
 * neither an allowed origin nor a host of the business.
 */
export async function findMailSite(
  ctx: Steps,
  { reserveDomain, businessId }: RequestingSite,
): Promise<MailSite | null> {
  const business = businessId === undefined ? null : await findBusinessById(ctx, businessId);
  if (businessId !== undefined && !business) throw notFound('Business');
  const base = mailLinkBase(ctx, reserveDomain, businessId);
  if (base === null) return null;
  if (!business) return { linkBase: base, isSameHost: true, name: '' };
  const { name, slug, configs } = business;
  const { origin, host } = new URL(base);
  const { hosts } = ctx.businesses;
  const locale = configs.storefront?.locales?.slice(1).find((each) => each === ctx.acceptLanguage);
  const path = locale ? `/${locale}` : '';
  const below = `/s/${encodeURIComponent(slug)}${path}`;
  if (hosts.ownerOf(host) !== business.id) return { linkBase: origin + below, isSameHost: true, name };
  if (hosts.trusted || ctx.origins.isListed(origin)) return { linkBase: origin + path, isSameHost: true, name };
  return { linkBase: new URL(ctx.publicUrl()).origin + below, isSameHost: false, name };
}

/** The base URL of links in emails: our own pages, or the caller's site if it is allowed. Null if it is not allowed. */
function mailLinkBase(
  { origins, publicUrl }: Pick<Steps, 'origins' | 'publicUrl'>,
  reserveDomain: string | undefined,
  businessId?: string,
): string | null {
  if (reserveDomain === undefined || reserveDomain === '') return publicUrl();
  if (URL.parse(reserveDomain)?.origin === new URL(publicUrl()).origin) return publicUrl();
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
  return `${withoutEnd(base, '/')}/${page}?token=${token}`;
}
