/** Computes the effects of new order statuses. Pure: `apply-statuses.ts` applies them. */
import { systemStatus } from '../../../shared/records/status-history.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import { isCard } from '../../pricing/index.ts';
import type { MailKind, OrderDoc, OrderRow } from '../order.ts';
import { shipByStatus } from '../shipments/change-shipments.ts';
import { shipmentsOf } from '../shipments/fulfillment.ts';
import type { Tracking } from '../shipments/schemas.ts';

export type NewStatuses = {
  statuses?: readonly StatusEntry[];
  paymentStatus?: readonly StatusEntry[];
  /** For the items that SHIPPED ships, or else for the latest shipment. Null removes it. */
  tracking?: Tracking | null | undefined;
};

type Transition = {
  /** The document with the new entries and shipments. */
  doc: OrderDoc;
  /** The new payment status; null if it stays the same. */
  newPaymentStatus: string | null;
  /** A canceled order can no longer be paid. */
  endsPayment: boolean;
  /** CANCELLED returns the promo code use and the stock of unshipped items; leaving CANCELLED takes both again. */
  stock: 'TAKE' | 'RETURN' | 'KEEP';
  /** Emails to the customer. */
  mails: MailKind[];
};

export function transition(order: OrderRow, added: NewStatuses, nowSeconds: number): Transition {
  const histories = extendHistories(order.doc, added, nowSeconds);
  const [before, after] = [lastStatus(order.doc.statuses), lastStatus(histories.statuses)];
  const [paymentBefore, payment] = [lastStatus(order.doc.paymentStatus), lastStatus(histories.paymentStatus)];
  const mails: MailKind[] = [];
  if (payment === 'PAID' && paymentBefore !== 'PAID') mails.push('PAID');
  if (after !== before && after === 'CANCELLED' && isConfirmed(order)) mails.push(after);
  const shipped = shipByStatus(order, histories.statuses.at(-1)!, added.tracking, nowSeconds);
  const hasNewShipment = shipmentsOf({ ...order, doc: shipped }).length > shipmentsOf(order).length;
  if (after === 'SHIPPED' && hasNewShipment) mails.push('SHIPPED');

  const isCancelled = after === 'CANCELLED';
  const stockWhileCancelled = order.holds ? 'RETURN' : 'KEEP';
  const stockOtherwise = order.holds ? 'KEEP' : 'TAKE';
  return {
    doc: { ...shipped, ...histories },
    newPaymentStatus: payment === paymentBefore ? null : payment,
    endsPayment: isCancelled,
    stock: isCancelled ? stockWhileCancelled : stockOtherwise,
    mails,
  };
}

/** PAID moves a PENDING order to PROCESSING. */
function extendHistories(doc: OrderDoc, { statuses = [], paymentStatus = [] }: NewStatuses, nowSeconds: number) {
  const extended = [...doc.statuses, ...statuses];
  const isNowPaid = paymentStatus.at(-1)?.status === 'PAID' && lastStatus(doc.paymentStatus) !== 'PAID';
  if (isNowPaid && lastStatus(extended) === 'PENDING') extended.push(systemStatus('PROCESSING', nowSeconds));
  return { statuses: extended, paymentStatus: [...doc.paymentStatus, ...paymentStatus] };
}

/**
 * Whether the order was confirmed to the customer. A customer who left the payment page without paying didn't get an email and needs
 * none now.
 */
const isConfirmed = ({ paid, doc: { paymentMethod, mailed = [] } }: OrderRow) =>
  paid > 0 || mailed.length > 0 || !isCard(paymentMethod ?? '');

/** Unpaid, and staff have not changed the status. */
export const isAwaitingPayment = ({ status, paymentStatus }: Pick<OrderRow, 'status' | 'paymentStatus'>) =>
  status === 'PENDING' && ['PENDING', 'FAILED'].includes(paymentStatus);

/** The payment status entry for an order that is canceled before it is paid. */
export const failedPayment = ({ paymentStatus }: OrderRow, nowSeconds: number): StatusEntry[] =>
  paymentStatus === 'PENDING' ? [systemStatus('FAILED', nowSeconds)] : [];

const lastStatus = (history: readonly StatusEntry[]) => history.at(-1)!.status;
