import { done } from '../../../../context/command.ts';
import { addressKey } from '../../../../shared/text/address-key.ts';
import { readerLanguage } from '../../../businesses/index.ts';
import { openResumedPayment, type PaymentRow, prepareResumedPayment, upsertPayment } from '../../../payments/index.ts';
import { command } from '../../context.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { paymentFor } from '../plans/plan-payments.ts';
import { findSubscription, lockSubscription, updateSubscription } from '../queries.ts';
import { expired, findPlanToPay, readToken } from './read-confirmation.ts';

/** Per IP address. */
const LIMIT = { name: 'pay-to-confirm-address', max: 30, windowSeconds: 300 };

type Prepared = { payment: PaymentRow; subscriptionId: string; name: string };

/**
 * Starts the payment for the link in a confirmation email. Each link has one payment, so using it again never charges twice. Returns the
 * URL of the payment page, or null if there is nothing to pay. Throws 422 if the link has expired.
 */
export const payToConfirm = command({
  async prepare(ctx, token: string) {
    const confirmation = readToken(ctx, token);
    const { businessId, subscriptionId, name } = confirmation;
    const row = await findSubscription(ctx.db, businessId, subscriptionId);
    const toPay = row?.status === 'PENDING' ? await findPlanToPay(ctx, row, confirmation) : null;
    if (!row || !toPay) return done<string | null>(null);
    await ctx.callLimits.consume(ctx, LIMIT, addressKey(ctx.address));
    const page = `${ctx.publicUrl()}/confirm-subscription/${token}`;
    const payment = paymentFor(row, toPay.collection, toPay.plan, {
      payer: 'link',
      language: await readerLanguage(ctx, businessId),
      returnUrl: `${page}?paid=true`,
      cancelUrl: page,
    });
    return {
      payment: await prepareResumedPayment(ctx.within(businessId), toPay.paymentId, payment),
      subscriptionId,
      name,
    };
  },
  async execute(ctx, { payment, subscriptionId, name }: Prepared) {
    const { businessId, id } = payment;
    const row = await lockSubscription(ctx.db, businessId, subscriptionId);
    if (row?.status !== 'PENDING') throw expired();
    if (name !== '' && name !== row.name) {
      const renamed = { ...row, name, updatedAt: ctx.now };
      await updateSubscription(ctx.db, renamed);
      emitSubscription(ctx, row, renamed);
    }
    await upsertPayment(ctx.db, payment);
    return { businessId, id };
  },
  afterCommit: (ctx, { businessId, id }): Promise<string | null> => openResumedPayment(ctx.within(businessId), id),
});
