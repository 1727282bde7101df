import { type Db, inTransaction, type Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import type { Jobs } from '../../jobs/index.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { formatMoney } from '../../shared/money.ts';
import type { Businesses, BusinessRow } from '../businesses/index.ts';
import { type OrderRow, paymentLines } from './order.ts';
import { findOrder } from './queries.ts';

export const MAIL_JOB = 'order-mail';

export type MailKind = 'RECEIVED' | 'PAID' | 'SHIPPED' | 'CANCELLED' | 'REFUNDED';
export type MailJob = { businessId: string; orderId: string; kind: MailKind; amount?: number };

/**
 * The customer's mail about an order is a job of its own and not yet the mail: writing it costs the order's transaction
 * nothing, and the mail queue's waking of its workers takes a lock that all orders would wait for.
 */
export async function enqueueMail(jobs: Jobs, tx: Tx, order: OrderRow, kind: MailKind, amount?: number): Promise<void> {
  if (order.customerEmail === null) return;
  await jobs.enqueue(tx, MAIL_JOB, mailJob(order, kind, amount));
}

export const mailJob = (order: Pick<OrderRow, 'businessId' | 'id'>, kind: MailKind, amount?: number): MailJob => ({
  businessId: order.businessId,
  orderId: order.id,
  kind,
  ...(amount === undefined ? {} : { amount }),
});

/** Hands the mail over to the mail queue. */
export async function sendMail(deps: Deps, businesses: Businesses, job: MailJob): Promise<void> {
  const order = await findOrder(deps.pool as Db, job.businessId, job.orderId);
  if (!order?.customerEmail || !(await businesses.exists(job.businessId))) return;
  const mail = writeMail(await businesses.get(job.businessId), order, order.customerEmail, job);
  await inTransaction(deps.pool, (tx) => deps.messages.mail(tx, mail));
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
