import type { Mail } from '../../providers/mail/port.ts';
import { formatMoney } from '../../shared/money.ts';
import { type BusinessRow, findBusinessById } from '../businesses/index.ts';
import type { PaymentCommand, Steps } from './context.ts';
import { type NewOrder, type OrderRow, paymentLines } from './order.ts';
import { findOrder } from './queries.ts';

export const MAIL_JOB = 'order-mail';

export type MailKind = 'RECEIVED' | 'PAID' | 'SHIPPED' | 'CANCELLED' | 'REFUNDED';
export type MailJob = { businessId: string; orderId: string; kind: MailKind; amount?: number };

/**
 * The customer's mail about an order is a job of its own and not yet the mail: writing it costs the order's transaction
 * nothing, and the mail queue's waking of its workers takes a lock that all orders would wait for.
 */
export async function enqueueMail(
  ctx: PaymentCommand,
  order: NewOrder,
  kind: MailKind,
  amount?: number,
): Promise<void> {
  if (order.customerEmail !== null) await ctx.enqueue(MAIL_JOB, mailJob(order, kind, amount));
}

export const mailJob = ({ businessId, id }: NewOrder, kind: MailKind, amount?: number): MailJob => ({
  ...{ businessId, orderId: id, kind },
  ...(amount === undefined ? {} : { amount }),
});

/** Hands the mail over to the mail queue. */
export async function sendMail(ctx: Steps, job: MailJob): Promise<void> {
  const order = await findOrder(ctx.db, job.businessId, job.orderId);
  const business = await findBusinessById(ctx, job.businessId);
  if (!order?.customerEmail || !business) return;
  const mail = writeMail(business, order, order.customerEmail, job);
  await ctx.transaction((tx) => tx.mail(mail));
}

const SUBJECTS: Record<MailKind, string> = {
  RECEIVED: 'We have received your order',
  PAID: 'We have received your payment for order',
  SHIPPED: 'Your order is on its way: order',
  CANCELLED: 'Your order was cancelled: order',
  REFUNDED: 'We have refunded you for order',
};

function writeMail(business: BusinessRow, order: OrderRow, to: string, { kind, amount }: MailJob): Mail {
  const { doc, number } = order;
  const money = (minor: number) => formatMoney(minor, doc.currency);
  const opening: Record<MailKind, string> = {
    RECEIVED: `Thank you for your order ${number} at ${business.name}.`,
    PAID: `Your payment of ${money(doc.total)} for order ${number} has arrived.`,
    SHIPPED: `Order ${number} has left ${business.name}.`,
    CANCELLED: `Order ${number} at ${business.name} was cancelled.`,
    REFUNDED: `${money(amount ?? 0)} of order ${number} is on its way back to you.`,
  };
  const rows = paymentLines(doc).map(
    ({ name, quantity, unitPrice }) => `  ${quantity} × ${name}   ${money(quantity * unitPrice)}`,
  );
  const { fromName, replyTo } = business.configs.email ?? {};
  return {
    to,
    subject: `${SUBJECTS[kind]} ${number}`,
    text: [opening[kind], '', ...rows, `  Total   ${money(doc.total)}`, '', business.name].join('\n'),
    fromName: fromName ?? singleLine(business.name),
    ...(replyTo ? { replyTo } : {}),
  };
}

const singleLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ');
