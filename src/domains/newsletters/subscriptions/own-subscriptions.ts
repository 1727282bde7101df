import type { Page } from '../../../shared/paging.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { Query } from '../context.ts';
import { referralUrl } from '../referrals/referrals.ts';
import { findNewsletter } from './find-newsletter.ts';
import { listSubscriptionsOfPerson } from './personal-queries.ts';
import type { OwnSubscription } from './schemas.ts';

/** The subscriptions of the caller, by account or confirmed email, with the links to manage them. */
export async function listOwnSubscriptions(ctx: Query): Promise<Page<OwnSubscription>> {
  const { db, businessId, caller, newsletters, now } = ctx;
  const emails = caller.isConfirmed && caller.email ? [emailKey(caller.email)] : [];
  const rows = await listSubscriptionsOfPerson(db, businessId, { userId: caller.userId, emails });
  // The links work without a login, so a read-only support session must not get them.
  const isSupport = caller.limits?.kind === 'SUPPORT';
  const items: OwnSubscription[] = [];
  for (const row of rows) {
    const newsletter = await findNewsletter(ctx, row);
    if (!newsletter) continue;
    const { id, collectionId, email, planId, status } = row;
    const plan = newsletter.plans.find((each) => each.id === planId);
    const isPaid = (plan?.price?.amount ?? 0) > 0;
    items.push({
      id,
      collectionId,
      name: newsletter.name,
      email,
      planId,
      planName: plan?.name ?? planId,
      status,
      unsubscribeUrl: isSupport ? null : newsletters.tokens.url(ctx.publicUrl(), businessId, id),
      referrals: row.referrals,
      referralUrl: referralUrl(ctx, newsletter, row),
      planUrl: isPaid && !isSupport ? newsletters.planTokens.url(ctx.publicUrl(), { businessId, id }, now) : null,
    });
  }
  return { items, cursor: null };
}
