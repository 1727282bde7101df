import { consumeCallLimit } from '../../../db/call-limits.ts';
import { consumeMailLimit } from '../../../db/limits.ts';
import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import { oneOf } from '../../../shared/text/phrases.ts';
import { getBusiness } from '../../businesses/index.ts';
import { command } from '../context.ts';
import { emitResent } from '../emit-order.ts';
import { type OrderRow, paidBack } from '../order.ts';
import { orderLink } from '../order-link.ts';
import { findOrder } from '../queries.ts';
import { findMailExtras } from './mail-extras.ts';
import { shipmentFor } from './order-mails.ts';
import type { ResendInput, Resent } from './schemas.ts';
import { writeMail } from './write-mail.ts';

type ResendRequest = ResendInput & { orderId: string };

/** Resends an order email. It counts against the rate limits of both the caller and the mailbox. */
export const resendMail = command({
  async prepare(ctx, { orderId, kind: requested }: ResendRequest) {
    const order = await findOrder(ctx.db, ctx.businessId, orderId);
    if (!order) throw notFound('Order');
    const email = order.customerEmail;
    if (email === null) throw conflict('This order has no email address. Add one, then resend the email.');
    await consumeCallLimit(ctx, 'mail');
    await consumeMailLimit(ctx, email);
    return { orderId, requested, email };
  },
  async execute(ctx, { orderId, requested, email }): Promise<Resent> {
    const order = await findOrder(ctx.db, ctx.businessId, orderId);
    if (order?.customerEmail !== email) throw conflict("The order's email address has just changed. Try again.");
    const kinds = mailsOf(order);
    const kind = requested ?? kinds.at(-1)!;
    if (!kinds.includes(kind)) {
      throw invalidField('kind', 'INVALID_VALUE', `For this order, kind must be ${oneOf(kinds)}.`);
    }
    const business = await getBusiness(ctx, ctx.businessId);
    const about = { amount: paidBack(order), shipment: shipmentFor(order, null), orderReturn: null };
    const extras = await findMailExtras(ctx, business, order, kind);
    await ctx.mail(
      writeMail(business, order, email, { kind, ...about, link: orderLink(ctx, business, order) }, extras),
    );
    emitResent(ctx, order, kind);
    return { success: true, kind, email };
  },
});

/** Emails that apply to the order's current status, latest last. */
function mailsOf(order: OrderRow): Resent['kind'][] {
  const { status, paid } = order;
  return [
    'RECEIVED',
    ...(paid > 0 ? (['PAID'] as const) : []),
    ...(shipmentFor(order, null) ? (['SHIPPED'] as const) : []),
    ...(status === 'CANCELLED' ? (['CANCELLED'] as const) : []),
    ...(paidBack(order) > 0 ? (['REFUNDED'] as const) : []),
  ];
}
