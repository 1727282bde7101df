import { countCalls } from '../../db/limits.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { mailboxKey } from '../../shared/email.ts';
import { formatMoney } from '../../shared/money.ts';
import { type BusinessRow, findBusinessById } from '../businesses/index.ts';
import { findPayment } from '../payments/index.ts';
import type { PaymentCommand, Steps } from './context.ts';
import { type MailKind, type NewOrder, type OrderDoc, type OrderRow, paymentLines } from './order.ts';
import { findOrder } from './queries.ts';
import { deleteTask, insertTask, type NewTask, type OrderTask, updateTaskDue } from './task-queries.ts';

/** How often each is sent for one order: to set a status over and over is no way to mail somebody. */
const MOST: Record<MailKind, number> = { RECEIVED: 1, PAID: 1, SHIPPED: 1, CANCELLED: 1, REFUNDED: 5 };

/** How long a mail waits for the payment session without which its order does not stand. */
const SESSION_WAIT_SECONDS = 30;

/** The customer's mail about an order; null: nobody is to get one. */
export const mailTask = (
  { businessId, id, customerEmail }: NewOrder,
  kind: MailKind,
  nowSeconds: number,
  amount: number | null = null,
): NewTask | null => (customerEmail === null ? null : { businessId, orderId: id, kind, amount, dueAt: nowSeconds });

/** The mail is only noted here: writing it costs the order's transaction nothing. */
export function insertMail(ctx: PaymentCommand, order: NewOrder, kind: MailKind, amount?: number): void {
  const task = mailTask(order, kind, ctx.now, amount);
  if (task) ctx.issue(insertTask(ctx.db, task));
}

/** The document that notes this mail; null: it was sent often enough. */
export function noteMail(doc: OrderDoc, kind: MailKind): OrderDoc | null {
  const { mailed = [] } = doc;
  return mailed.filter((each) => each === kind).length < MOST[kind] ? { ...doc, mailed: [...mailed, kind] } : null;
}

type MailTask = OrderTask & { kind: MailKind };

/**
 * Hands the mail over to the mail queue, then ends the task, in this order: on a cluster the two lie on different nodes, and in one
 * transaction a crash could keep the end and lose the mail. One that is handed over again is known by its cause.
 */
export async function sendMail(ctx: Steps, task: MailTask): Promise<void> {
  const order = await findOrder(ctx.db, task.businessId, task.orderId);
  const business = await findBusinessById(ctx, task.businessId);
  const standing = order ? await standingOf(ctx, order) : 'NEVER';
  if (standing === 'WAITS') {
    await ctx.write((tx) => updateTaskDue(tx, task, ctx.now + SESSION_WAIT_SECONDS));
    return;
  }
  const isSent = standing === 'STANDS' && business !== null && (await mayMail(ctx, order!));
  const mail = isSent ? writeMail(business, order!, order!.customerEmail!, task) : null;
  if (mail) await ctx.transaction((tx) => tx.mail(mail, `order task ${task.businessId} ${task.id}`));
  await ctx.write((tx) => deleteTask(tx, task));
}

/** An order that is paid through a provider stands once its session is made: before, the customer was promised nothing. */
async function standingOf(ctx: Steps, { businessId, id }: OrderRow): Promise<'STANDS' | 'WAITS' | 'NEVER'> {
  const payment = await findPayment(ctx.db, businessId, id);
  if (!payment || payment.sessionId !== null || payment.status === 'PAID') return 'STANDS';
  return payment.status === 'OPEN' ? 'WAITS' : 'NEVER';
}

/** Nobody has proved that a typed address is theirs: it gets few mails, whichever tags it is typed with. */
async function mayMail(ctx: Steps, { id: orderId, customerEmail, doc }: OrderRow): Promise<boolean> {
  if (customerEmail === null || !doc.isEmailTyped) return customerEmail !== null;
  const limit = { name: 'order-mail', max: ctx.config.limits.messages, windowSeconds: 3600 };
  const { count } = await countCalls(ctx, limit, mailboxKey(customerEmail), 1);
  if (count > limit.max) ctx.log.warn({ orderId }, 'a typed address has had enough mail about orders for now');
  return count <= limit.max;
}

const SUBJECTS: Record<MailKind, string> = {
  RECEIVED: 'We have received your order',
  PAID: 'We have received your payment for order',
  SHIPPED: 'Your order is on its way: order',
  CANCELLED: 'Your order was cancelled: order',
  REFUNDED: 'We have refunded you for order',
};

type About = Pick<OrderTask, 'amount'> & { kind: MailKind };

export function writeMail(business: BusinessRow, order: OrderRow, to: string, { kind, amount }: About): Mail {
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
    text: [
      opening[kind],
      ...(kind === 'SHIPPED' ? trackingRows(doc) : []),
      '',
      ...rows,
      `  Total   ${money(doc.total)}`,
      '',
      business.name,
    ].join('\n'),
    fromName: fromName ?? singleLine(business.name),
    ...(replyTo ? { replyTo } : {}),
  };
}

const trackingRows = ({ tracking: { carrier, number, url } = {} }: OrderDoc): string[] =>
  [[carrier, number].filter(Boolean).join(' '), url ?? ''].filter(Boolean);

const singleLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ');
