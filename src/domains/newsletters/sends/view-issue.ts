import { fill } from '../../../shared/mail/template.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';
import { type BusinessRow, getBusiness, mailedPagesUrl } from '../../businesses/index.ts';
import type { Query, Steps } from '../context.ts';
import { untracked } from '../stats/track-links.ts';
import { withoutEnded } from '../subscriptions/plans/active-plans.ts';
import { findSubscription } from '../subscriptions/queries.ts';
import { findVersion } from './delivery-queries.ts';
import { findSend } from './send-queries.ts';

type Recipient = { businessId: string; sendId: string; subscriptionId: string; email: string; name: string };

type Ctx = Pick<Query | Steps, 'businesses' | 'publicUrl' | 'newsletters'>;

/**
 * The values of the recipient's variables in an email. The unsubscribe link never uses a domain of the business, so that it works as long
 * as the service does.
 */
export function recipientValues(ctx: Ctx, business: BusinessRow, recipient: Recipient) {
  const { businessId, subscriptionId, email, name } = recipient;
  const { tokens, viewTokens, referralTokens } = ctx.newsletters;
  const base = ctx.publicUrl();
  return {
    'subscriber.name': name || email.slice(0, email.lastIndexOf('@')),
    'subscriber.email': email,
    unsubscribeUrl: tokens.url(base, businessId, subscriptionId),
    viewUrl: viewTokens.url(mailedPagesUrl(ctx, business), recipient),
    referralUrl: referralTokens.url(base, businessId, subscriptionId),
  };
}

/** An issue as its subscriber got it. Null if the link is invalid, or if the subscriber can no longer read the issue. */
export async function viewIssue(ctx: Query, token: string): Promise<string | null> {
  const ids = ctx.newsletters.viewTokens.read(token);
  const row = ids && (await findSubscription(ctx.db, ids.businessId, ids.subscriptionId));
  const send = row && (await findSend(ctx.db, ids.businessId, ids.sendId));
  if (!send?.content || send.collectionId !== row!.collectionId || row!.status !== 'ACTIVE') return null;
  const { planIds, links, alternatives } = send.content;
  const isIncluded = !planIds || planIds.includes(row!.planId);
  if (!isIncluded || (await withoutEnded(ctx.db, [row!], ctx.now)).length === 0) return null;
  const business = await getBusiness(ctx, ids!.businessId);
  const recipient = recipientValues(ctx, business, { ...ids!, email: row!.email, name: row!.name });
  const values: Record<string, string> = { ...recipient, ...untracked(links) };
  const version = alternatives ? ((await findVersion(ctx.db, send, ids!.subscriptionId)) ?? 0) : 0;
  const mail = alternatives?.[version - 1] ?? send.content.mail;
  return fill(mail.html, (variable) => escapeHtml(values[variable] ?? ''));
}
