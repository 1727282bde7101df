import { invalidField } from '../../../../shared/errors.ts';
import { type Language, textsIn } from '../../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../../shared/schemas.ts';
import { getBusiness, readerLanguage } from '../../../businesses/index.ts';
import { getCollection } from '../../../content/index.ts';
import type { Command, Query } from '../../context.ts';
import { findForm } from '../../forms/queries.ts';
import { countReferral } from '../../referrals/referrals.ts';
import { removeBounce } from '../../suppressions/queries.ts';
import { emitSubscription } from '../emit-subscription.ts';
import {
  findSubscription,
  isSubscribed,
  lockSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '../queries.ts';
import { tagsOf } from '../subscriber-name.ts';
import { withoutLinks } from './confirm-mail.ts';
import { CONFIRM_SECONDS, type Confirmation } from './confirm-token.ts';

/** Makes the subscription ACTIVE and stores the consent. Idempotent. Throws 422 if there is nothing to confirm. */
export async function confirmSubscription(ctx: Command, token: string) {
  const { db: tx, now } = ctx;
  const { businessId, subscriptionId, planId, name, form, referrerId } = readToken(ctx, token);
  const row = await lockSubscription(tx, businessId, subscriptionId);
  if (row && isSubscribed(row)) return SUCCESS;
  if (row?.status !== 'PENDING') throw expired();
  const confirmed: SubscriptionRow = {
    ...row,
    status: 'ACTIVE',
    planId: row.paidPlanId ?? planId,
    paidPlanId: null,
    name: name || row.name,
    ...(form ? await formValues(ctx, row, form) : {}),
    consent: {
      source: 'DOUBLE_OPT_IN',
      at: now,
      address: ctx.address,
      text: await textFor(ctx, row),
      userId: row.userId,
    },
    updatedAt: now,
  };
  await updateSubscription(tx, confirmed);
  if (referrerId !== undefined) await countReferral(ctx, row, referrerId);
  await removeBounce(tx, businessId, row.emailKey, now);
  emitSubscription(ctx, row, confirmed);
  return SUCCESS;
}

/** The tags of the form, if it still exists, and the values that were entered. */
async function formValues({ db }: Command, row: SubscriptionRow, form: NonNullable<Confirmation['form']>) {
  const tags = (await findForm(db, row.businessId, form.id))?.doc.tags ?? [];
  return { tags: tagsOf([...row.tags, ...tags]), fields: { ...row.fields, ...form.fields } };
}

/** The consent text for the confirmation page, null if already confirmed. Throws 422 like `confirmSubscription`. */
export async function findConfirmation(
  ctx: Query,
  token: string,
): Promise<{ text: string | null; language: Language }> {
  const { businessId, subscriptionId } = readToken(ctx, token);
  const row = await findSubscription(ctx.db, businessId, subscriptionId);
  const language = await readerLanguage(ctx, businessId);
  if (row && isSubscribed(row)) return { text: null, language };
  if (row?.status !== 'PENDING') throw expired();
  return { text: await textFor(ctx, row), language };
}

/** In the language of the page, which sends the same request headers twice. */
async function textFor(ctx: Query | Command, { businessId, collectionId, email }: SubscriptionRow): Promise<string> {
  const collection = await getCollection(ctx.db, businessId, collectionId);
  const business = await getBusiness(ctx, businessId);
  const { consent } = textsIn(await readerLanguage(ctx, businessId)).newsletter;
  return consent(withoutLinks(collection.name), withoutLinks(business.name), email);
}

function readToken(ctx: Query | Command, token: string): Confirmation {
  const confirmation = ctx.newsletters.confirmTokens.read(token);
  if (!confirmation || (ctx.businessId !== '' && ctx.businessId !== confirmation.businessId)) {
    throw invalidField('token', 'INVALID_VALUE', 'This link is invalid. Open it from the email again.');
  }
  if (confirmation.requestedAt + CONFIRM_SECONDS <= ctx.now) throw expired();
  return confirmation;
}

const expired = () => invalidField('token', 'EXPIRED', 'This link has expired. Subscribe again to get a new one.');
