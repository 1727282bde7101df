import { countCalls } from '../../../db/limits.ts';
import { mailboxKey } from '../../../shared/text/email.ts';
import { findBusinessById } from '../../businesses/index.ts';
import { findPayment } from '../../payments/index.ts';
import type { PaymentCommand, Steps } from '../context.ts';
import { emitWithheld } from '../emit-order.ts';
import type { MailKind, NewOrder, OrderDoc, OrderRow } from '../order.ts';
import { orderLink } from '../order-link.ts';
import { findOrder, lockOrder, updateOrderRow } from '../queries.ts';
import { findReturn } from '../returns/queries.ts';
import { namedLines, shipmentsOf } from '../shipments/fulfillment.ts';
import type { Shipment } from '../shipments/schemas.ts';
import { deleteTask, insertTask, type NewTask, type OrderTask, updateTaskDue } from '../task-queries.ts';
import { findMailExtras } from './mail-extras.ts';
import { type MailedReturn, writeMail } from './write-mail.ts';

/** Maximum number of emails of each kind per order, so that toggling a status can't flood a customer. */
const MAX_SENT: Record<MailKind, number> = {
  RECEIVED: 1,
  PAID: 1,
  SHIPPED: 20,
  CANCELLED: 1,
  REFUNDED: 5,
  RETURN_REQUESTED: 20,
  RETURN_APPROVED: 20,
  RETURN_REJECTED: 20,
  RETURN_RECEIVED: 20,
  // By law, each withdrawal must be confirmed.
  WITHDRAWAL_RECEIVED: 100,
};

/** How long to wait before checking again for the order's payment session. */
const SESSION_WAIT_SECONDS = 30;

/** The task that emails the customer; null if the order has no email address. */
export const mailTask = (
  { businessId, id, customerEmail }: NewOrder,
  kind: MailKind,
  nowSeconds: number,
  amount: number | null = null,
): NewTask | null => (customerEmail === null ? null : { businessId, orderId: id, kind, amount, dueAt: nowSeconds });

type About = { amount?: number; shipmentId?: string; returnId?: string };

/** Queues the email. A worker composes it later, outside the order's transaction. */
export function insertMail(ctx: PaymentCommand, order: NewOrder, kind: MailKind, about: About = {}): void {
  const task = mailTask(order, kind, ctx.now, about.amount);
  if (task)
    ctx.issue(insertTask(ctx.db, { ...task, shipmentId: about.shipmentId ?? null, returnId: about.returnId ?? null }));
}

/** Returns the document with this email counted, or null if its limit is reached. */
export function countMail(doc: OrderDoc, kind: MailKind): OrderDoc | null {
  const { mailed = [] } = doc;
  return mailed.filter((each) => each === kind).length < MAX_SENT[kind] ? { ...doc, mailed: [...mailed, kind] } : null;
}

type MailTask = OrderTask & { kind: MailKind };

/** Enqueues the email and deletes the task in one transaction, so that the customer gets it once. */
export async function sendMail(ctx: Steps, task: MailTask): Promise<void> {
  const order = await findOrder(ctx.db, task.businessId, task.orderId);
  const business = await findBusinessById(ctx, task.businessId);
  const shipment = order ? shipmentFor(order, task.shipmentId) : null;
  const isUndone = task.kind === 'SHIPPED' && shipment === null;
  const orderReturn = order ? await returnFor(ctx, order, task) : null;
  const readiness = order && !isUndone ? await readinessOf(ctx, order) : 'NEVER';
  if (readiness === 'WAIT') {
    await ctx.write((tx) => updateTaskDue(tx, task, ctx.now + SESSION_WAIT_SECONDS));
    return;
  }
  const email = order?.customerEmail ?? null;
  const isReady = readiness === 'READY' && business !== null && email !== null;
  const isWithheld = isReady && (await exceedsLimit(ctx, order!, email));
  const mail =
    isReady && !isWithheld
      ? writeMail(
          business,
          order!,
          email,
          { ...task, shipment, orderReturn, link: orderLink(ctx, business, order!) },
          await findMailExtras(ctx, business, order!, task.kind),
        )
      : null;
  await ctx.transaction(async (tx) => {
    const locked = isWithheld ? await lockOrder(tx.db, task.businessId, task.orderId) : null;
    if (!(await deleteTask(tx.db, task))) return;
    if (mail) await tx.mail(mail);
    if (locked) recordWithheld(tx, locked, task.kind);
  });
}

/** The shipment that an email is about, by default the latest; null if it was undone. */
export function shipmentFor(order: OrderRow, id: string | null): Shipment | null {
  const shipments = shipmentsOf(order);
  return (id === null ? shipments.at(-1) : shipments.find((each) => each.id === id)) ?? null;
}

/** The return that an email is about. */
async function returnFor(ctx: Steps, order: OrderRow, { kind, returnId }: MailTask): Promise<MailedReturn | null> {
  const row = returnId === null ? null : await findReturn(ctx.db, order.businessId, returnId);
  if (!row) return null;
  const { instructions, labelUrl, rejection, lines } = row.doc;
  return {
    type: row.type,
    lines: namedLines(order, lines),
    instructions: kind === 'RETURN_APPROVED' ? instructions : null,
    labelUrl: kind === 'RETURN_APPROVED' ? labelUrl : null,
    reason: rejection,
    requestedAt: row.createdAt,
  };
}

/** Staff see the withheld email on the order and can resend it. */
function recordWithheld(ctx: PaymentCommand, order: OrderRow, kind: MailKind): void {
  const withheldMails = [...(order.doc.withheldMails ?? []), { kind, timestamp: ctx.now }];
  emitWithheld(ctx, updateOrderRow(ctx, { ...order, doc: { ...order.doc, withheldMails } }), kind);
}

/** Emails wait for the payment session. Until it exists, the checkout may still fail with 503 and cancel the order. */
async function readinessOf(ctx: Steps, { businessId, id }: OrderRow): Promise<'READY' | 'WAIT' | 'NEVER'> {
  const payment = await findPayment(ctx.db, businessId, id);
  if (!payment || payment.sessionId !== null || payment.status === 'PAID') return 'READY';
  return payment.status === 'OPEN' ? 'WAIT' : 'NEVER';
}

/**
 * An address entered by hand is unverified, so its mailbox gets only a few emails an hour, regardless of plus tags. Emails about paid
 * orders don't count, because payment makes abuse expensive.
 */
async function exceedsLimit(ctx: Steps, { id: orderId, paid, doc }: OrderRow, email: string): Promise<boolean> {
  if (!doc.isEmailTyped || paid > 0) return false;
  const limit = { name: 'order-mail', max: ctx.config.limits.messages, windowSeconds: 3600 };
  const { count } = await countCalls(ctx, limit, mailboxKey(email), 1);
  if (count > limit.max) ctx.log.warn({ orderId }, 'Order email withheld: too many emails to an unverified address');
  return count > limit.max;
}
