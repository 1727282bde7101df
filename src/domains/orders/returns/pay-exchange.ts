import { done } from '../../../context/command.ts';
import { conflict } from '../../../shared/errors.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { businessLanguage, getBusiness } from '../../businesses/index.ts';
import { openResumedPayment, type PaymentRow, prepareResumedPayment, upsertPayment } from '../../payments/index.ts';
import { command } from '../context.ts';
import { amountDue, ORDER_PURPOSE, paymentLines } from '../order.ts';
import { orderLink, readOrderLink } from '../order-link.ts';
import { findOrder } from '../queries.ts';
import { exchangeBalance } from './exchange-balance.ts';

/** Per IP address. */
const LIMIT = { name: 'pay-exchange-address', max: 30, windowSeconds: 300 };

/**
 * Starts the payment of the difference if an exchange costs more than the returned items. Returns the URL of the payment page, or null if
 * the link is invalid.
 */
export const payExchange = command({
  async prepare(ctx, token: string) {
    await ctx.callLimits.consume(ctx, LIMIT, addressKey(ctx.address));
    const link = readOrderLink(ctx, token);
    const order = link && (await findOrder(ctx.db, link.businessId, link.id));
    if (!order) return done<string | null>(null);
    if (exchangeBalance(order) === 0) throw conflict('This order has nothing left to pay.');
    const { businessId, id, doc, customerEmail: email } = order;
    const business = await getBusiness(ctx, businessId);
    const page = orderLink(ctx, business, order);
    const language = businessLanguage(business, doc.locale);
    return prepareResumedPayment(ctx.within(businessId), id, {
      businessId,
      purpose: ORDER_PURPOSE,
      reference: id,
      amount: amountDue(doc),
      currency: doc.currency,
      description: textsIn(language).order.payment(business.name),
      lines: paymentLines(doc, language),
      email,
      returnUrl: page,
      cancelUrl: page,
      language,
    });
  },
  async execute(ctx, payment: PaymentRow) {
    await upsertPayment(ctx.db, payment);
    const { businessId, id } = payment;
    return { businessId, id };
  },
  afterCommit: (ctx, { businessId, id }): Promise<string | null> => openResumedPayment(ctx.within(businessId), id),
});
