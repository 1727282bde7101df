import { getBusiness } from '../../../businesses/index.ts';
import { getCollection } from '../../../content/index.ts';
import type { Command, Query } from '../../context.ts';
import type { SubscriptionRow } from '../queries.ts';
import { withoutLinks } from './confirm-mail.ts';

/** The consent: shown above the button and stored. */
export async function readConsentText(
  ctx: Query | Command,
  { businessId, collectionId, email }: SubscriptionRow,
): Promise<string> {
  const collection = await getCollection(ctx.db, businessId, collectionId);
  const business = await getBusiness(ctx, businessId);
  return `I want to receive the newsletter "${withoutLinks(collection.name)}" from ${withoutLinks(business.name)} at ${email}. I can unsubscribe at any time with the link in each email.`;
}
