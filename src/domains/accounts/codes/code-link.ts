import { invalid, notFound } from '../../../shared/errors.ts';
import { findBusinessById } from '../../businesses/index.ts';
import type { Steps } from '../context.ts';
import { badReserveDomain, mailLinkBase } from '../passwords/mail-links.ts';
import type { CodeLoginInput } from './schemas.ts';

/** `linkBase`: where the link in the email leads. Empty if the email has no link. `name`: the sender's name in the email. */
type CodeSender = { linkBase: string; name: string };

/**
 * With a business, the link opens its storefront. Its owner can read everything that is sent to a host of the storefront, so a host
 * that the operator doesn't trust gets no link: it could use the code with a challenge of its own.
 */
export async function findSender(
  ctx: Steps,
  { reserveDomain, businessId }: Pick<CodeLoginInput, 'reserveDomain' | 'businessId'>,
): Promise<CodeSender> {
  const business = businessId === undefined ? null : await findBusinessById(ctx, businessId);
  if (businessId !== undefined && !business) throw notFound('Business');
  const linkBase = mailLinkBase(ctx, reserveDomain, businessId);
  if (linkBase === null) throw invalid([badReserveDomain()]);
  if (!business) return { linkBase, name: '' };
  const { name, slug, configs } = business;
  const { origin, host } = new URL(linkBase);
  const { hosts } = ctx.businesses;
  const locale = configs.storefront?.locales?.slice(1).find((each) => each === ctx.acceptLanguage);
  const path = locale ? `/${locale}` : '';
  if (hosts.ownerOf(host) !== business.id) return { linkBase: `${origin}/s/${encodeURIComponent(slug)}${path}`, name };
  return { linkBase: hosts.trusted || ctx.origins.isListed(origin) ? origin + path : '', name };
}
