import type { StepsOf } from '../../context/index.ts';
import { spendLimit } from '../../db/call-limits.ts';
import { spendMail } from '../../db/limits.ts';
import { conflict, invalidField, notFound } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import type { OrderServices } from './context.ts';
import { writeMail } from './mails.ts';
import type { MailKind, OrderRow } from './order.ts';
import { findOrder } from './queries.ts';
import type { ResendInput, Resent } from './schemas.ts';
import { tellResent } from './tell.ts';

type Asked = ResendInput & { orderId: string };

/** The customer did not get a mail, or has lost it. It counts as one that somebody may have asked for in another's name. */
export const resendMail: StepsOf<OrderServices, Asked, { email: string }, Resent, Resent> = {
  async prepare(ctx, { orderId }) {
    const order = await findOrder(ctx.db, ctx.businessId, orderId);
    if (!order) throw notFound('Order');
    const email = order.customerEmail;
    if (email === null) throw conflict('This order has no e-mail address. Give it one, then send the mail.');
    await spendLimit(ctx, 'mail');
    await spendMail(ctx, email);
    return { email };
  },
  async execute(ctx, { orderId, kind: asked }, { email }) {
    const order = await findOrder(ctx.db, ctx.businessId, orderId);
    if (order?.customerEmail !== email) throw conflict('The order was changed meanwhile. Send the mail again.');
    const kinds = mailsOf(order);
    const kind = asked ?? kinds.at(-1)!;
    if (!kinds.includes(kind)) {
      throw invalidField('kind', 'INVALID_VALUE', `kind must fit the order: ${kinds.join(', ')}.`);
    }
    const business = await getBusiness(ctx, ctx.businessId);
    await ctx.mail(writeMail(business, order, email, { kind, amount: order.refunded }));
    await tellResent(ctx, order, kind);
    return { success: true, kind, email };
  },
};

/** Those that fit what has become of the order, the latest last. */
function mailsOf({ status, paid, refunded, doc }: OrderRow): MailKind[] {
  const wasShipped = doc.statuses.some((entry) => entry.status === 'SHIPPED');
  return [
    'RECEIVED',
    ...(paid > 0 ? (['PAID'] as const) : []),
    ...(wasShipped ? (['SHIPPED'] as const) : []),
    ...(status === 'CANCELLED' ? (['CANCELLED'] as const) : []),
    ...(refunded > 0 ? (['REFUNDED'] as const) : []),
  ];
}
