import { formatMoney } from '../../../shared/money.ts';
import { listAdminEmails } from '../../accounts/index.ts';
import { businessLanguage, getBusiness, writeBusinessMail } from '../../businesses/index.ts';
import type { PaymentCommand } from '../context.ts';
import type { OrderRow } from '../order.ts';

/** Something that the provider reports about an order's payment. */
type News = {
  about: 'REFUND_MADE' | 'REFUND_FAILED' | 'DISPUTE_OPEN' | 'DISPUTE_WON' | 'DISPUTE_LOST';
  amount: number;
};

/** Emails the admins of the business. */
export async function mailStaff(
  ctx: PaymentCommand,
  { id, number, doc }: OrderRow,
  { about, amount }: News,
): Promise<void> {
  const business = await getBusiness(ctx, ctx.businessId);
  const language = businessLanguage(business);
  const mail = writeBusinessMail(business, {
    kind: `STAFF_${about}`,
    language,
    values: { 'order.number': String(number), amount: formatMoney(amount, doc.currency, language) },
    link: { url: `${ctx.publicUrl()}/admin/${ctx.businessId}/orders/${id}` },
    publicUrl: ctx.publicUrl(),
  });
  for (const to of await listAdminEmails(ctx.db, ctx.businessId)) await ctx.mail({ to, ...mail });
}
