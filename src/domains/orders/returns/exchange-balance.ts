import { amountDue, type OrderRow } from '../order.ts';

/** The amount still due for an exchange that costs more than the returned items. 0 for other orders. */
export const exchangeBalance = ({ status, paymentStatus, doc }: OrderRow): number =>
  doc.exchange && status !== 'CANCELLED' && ['PENDING', 'FAILED'].includes(paymentStatus)
    ? Math.max(0, amountDue(doc))
    : 0;
