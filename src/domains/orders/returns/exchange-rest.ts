import { amountDue, type OrderRow } from '../order.ts';

/** What is left to pay of an exchange that costs more than the returned items. 0 for other orders. */
export const exchangeRest = ({ status, paymentStatus, doc }: OrderRow): number =>
  doc.exchange && status !== 'CANCELLED' && ['PENDING', 'FAILED'].includes(paymentStatus)
    ? Math.max(0, amountDue(doc))
    : 0;
