import { type Language, textsIn } from '../../../../shared/mail/languages.ts';
import { getBusiness } from '../../../businesses/index.ts';
import { getCollection } from '../../../content/index.ts';
import type { Command, Query } from '../../context.ts';
import type { SubscriptionRow } from '../queries.ts';
import { withoutLinks } from './confirm-mail.ts';

/** The consent text in the language of the page. It is shown above the button, and stored. */
export async function readConsentText(
  ctx: Query | Command,
  { businessId, collectionId, email }: SubscriptionRow,
  language: Language,
): Promise<string> {
  const collection = await getCollection(ctx.db, businessId, collectionId);
  const business = await getBusiness(ctx, businessId);
  return textsIn(language).newsletter.consent(withoutLinks(collection.name), withoutLinks(business.name), email);
}
