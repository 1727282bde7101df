import { invalidField } from '../../../../shared/errors.ts';
import { SUCCESS } from '../../../../shared/schemas.ts';
import { readerLanguage } from '../../../businesses/index.ts';
import type { Command } from '../../context.ts';
import { findForm } from '../../forms/queries.ts';
import { countReferral } from '../../referrals/referrals.ts';
import { removeBounce } from '../../suppressions/queries.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { isSubscribed, lockSubscription, type SubscriptionRow, updateSubscription } from '../queries.ts';
import { tagsOf } from '../subscriber-name.ts';
import type { Confirmation } from './confirm-token.ts';
import { readConsentText } from './consent-text.ts';
import { expired, findPlanToPay, readToken } from './read-confirmation.ts';

const PAYMENT_REQUIRED = 'This plan requires payment. Open the link in the email to pay and confirm the subscription.';

/**
 * Makes the subscription ACTIVE and stores the consent. Idempotent. Throws 422 if there is nothing to confirm, or if the plan must be paid
 * for first.
 */
export async function confirmSubscription(ctx: Command, token: string) {
  const { db: tx, now } = ctx;
  const confirmation = readToken(ctx, token);
  const { businessId, subscriptionId, planId, name, form, referrerId } = confirmation;
  const row = await lockSubscription(tx, businessId, subscriptionId);
  if (row && isSubscribed(row)) return SUCCESS;
  if (row?.status !== 'PENDING') throw expired();
  if (await findPlanToPay(ctx, row, confirmation)) throw invalidField('token', 'PAYMENT_REQUIRED', PAYMENT_REQUIRED);
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
      text: await readConsentText(ctx, row, await readerLanguage(ctx, businessId)),
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
