import type { Query } from '../context.ts';
import { findLinks } from './hit-queries.ts';
import { OPEN } from './hits.ts';

/** Sends whose links are kept in memory. */
const MAX_CACHED = 200;

/** Programs that fetch links: scanners, link previews and libraries. */
const PROGRAM =
  /bot\b|crawl|spider|scan|preview|prefetch|monitor|curl|wget|python|java\/|go-http|node|axios|okhttp|headless|phantom|proofpoint|barracuda|mimecast|safelinks|facebookexternalhit/i;

/** Whether a request may come from a person: a GET from a browser. */
const isPerson = ({ isHead }: Request, userAgent: string) => !isHead && userAgent !== '' && !PROGRAM.test(userAgent);

/** The links of recent sends. They never change. */
export function createLinkCache() {
  const cached = new Map<string, readonly string[]>();
  return async ({ db }: Query, { businessId, sendId }: { businessId: string; sendId: string }) => {
    const known = cached.get(sendId);
    if (known) return known;
    const links = await findLinks(db, businessId, sendId);
    if (!links) return null;
    if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value!);
    cached.set(sendId, links);
    return links;
  };
}

type Request = { token: string; isHead: boolean };

/**
 * Returns the target of a link in an email and counts the click. Null if the signature is wrong or the email has no such link, so it never
 * leads anywhere that the business did not link to.
 */
export async function followLink(ctx: Query, request: Request & { link: number }): Promise<string | null> {
  const issue = ctx.newsletters.hitTokens.read(request.token);
  const url = issue && (await ctx.newsletters.linksOf(ctx, issue))?.[request.link];
  if (!url) return null;
  if (isPerson(request, ctx.userAgent)) ctx.newsletters.hits.add(issue, request.link, ctx.now);
  return withReference(ctx, issue, url);
}

/** Counts an open. A wrong signature has no effect. */
export async function recordOpen(ctx: Query, request: Request): Promise<void> {
  const issue = ctx.newsletters.hitTokens.read(request.token);
  if (issue && isPerson(request, ctx.userAgent)) ctx.newsletters.hits.add(issue, OPEN, ctx.now);
}

/** Adds the send to links to the business's own storefront, so that orders can be attributed to it. Other sites don't see it. */
function withReference(
  ctx: Query,
  { businessId, sendId }: { businessId: string; sendId: string },
  url: string,
): string {
  const target = new URL(url);
  const isOwn =
    target.host === new URL(ctx.publicUrl()).host
      ? /^\/(s|v1)\//.test(target.pathname)
      : ctx.businesses.hosts.ownerOf(target.host) === businessId;
  if (!isOwn) return url;
  target.searchParams.set('souk_ref', ctx.carts.references.token({ businessId, sendId }, ctx.now));
  return target.href;
}
