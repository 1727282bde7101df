import { formatMoney } from '../../../shared/money.ts';
import { listAdminEmails } from '../../accounts/index.ts';
import { getBusiness } from '../../businesses/index.ts';
import type { PaymentCommand } from '../context.ts';
import type { OrderRow } from '../order.ts';

/** Something that happened to an order's payment at the provider. */
type News = {
  about: 'REFUND_MADE' | 'REFUND_FAILED' | 'DISPUTE_OPEN' | 'DISPUTE_WON' | 'DISPUTE_LOST';
  amount: number;
};

/** Emails the admins of the business. */
export async function mailStaff(
  ctx: PaymentCommand,
  { number, doc }: OrderRow,
  { about, amount }: News,
): Promise<void> {
  const money = formatMoney(amount, doc.currency);
  const words: Record<News['about'], { subject: string; text: string }> = {
    REFUND_MADE: {
      subject: `Order #${number} refunded through the payment provider`,
      text: `${money} of order #${number} was refunded in your payment provider's dashboard. The order shows the refund.`,
    },
    REFUND_FAILED: {
      subject: `Refund for order #${number} failed`,
      text: `The refund of ${money} for order #${number} failed, and your payment provider returned the money to you. Contact the customer to refund them another way.`,
    },
    DISPUTE_OPEN: {
      subject: `Dispute opened for order #${number}`,
      text: `A customer disputed a payment of ${money} for order #${number}. Respond in your payment provider's dashboard before the deadline shown there.`,
    },
    DISPUTE_WON: {
      subject: `Dispute closed for order #${number}`,
      text: `The ${money} dispute for order #${number} was closed in your favor.`,
    },
    DISPUTE_LOST: {
      subject: `Dispute lost for order #${number}`,
      text: `The ${money} dispute for order #${number} was decided in the customer's favor. The order shows the amount as refunded.`,
    },
  };
  const { subject, text } = words[about];
  const { name } = await getBusiness(ctx, ctx.businessId);
  for (const to of await listAdminEmails(ctx.db, ctx.businessId)) {
    await ctx.mail({ to, subject: `${name}: ${subject}`, text });
  }
}
