/** The histories of an imported order, from the few timestamps that other systems export. Pure. */

export type Status = 'PENDING' | 'PROCESSING' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED' | 'REFUNDED';
export type PaymentStatus = 'PENDING' | 'PAID' | 'FAILED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';

export type OrderTimes = {
  createdAt: number;
  paidAt?: number | undefined;
  shippedAt?: number | undefined;
  cancelledAt?: number | undefined;
};

const entry = (n: number, status: string, timestamp: number) => ({
  id: `imported-${n}`,
  status,
  changedBy: 'SYSTEM' as const,
  timestamp,
});

export function statusesOf({ status, createdAt, paidAt, shippedAt, cancelledAt }: OrderTimes & { status: Status }) {
  const isShipped =
    status === 'SHIPPED' || status === 'DELIVERED' || (status === 'REFUNDED' && shippedAt !== undefined);
  const steps: [string, number][] = [['PENDING', createdAt]];
  if (paidAt !== undefined || isShipped || status === 'PROCESSING') steps.push(['PROCESSING', paidAt ?? createdAt]);
  if (isShipped) steps.push(['SHIPPED', shippedAt ?? paidAt ?? createdAt]);
  if (steps.at(-1)![0] !== status) steps.push([status, cancelledAt ?? steps.at(-1)![1]]);
  return steps.map(([name, at], i) => entry(i + 1, name, Math.max(at, createdAt)));
}

export function paymentsOf({ createdAt, paidAt, cancelledAt }: OrderTimes, payment: string) {
  const paid = paidAt ?? createdAt;
  const steps: [string, number][] = [['PENDING', createdAt]];
  if (payment === 'FAILED') steps.push(['FAILED', cancelledAt ?? createdAt]);
  else if (payment !== 'PENDING') steps.push(['PAID', paid]);
  if (payment === 'REFUNDED' || payment === 'PARTIALLY_REFUNDED') steps.push([payment, cancelledAt ?? paid]);
  return steps.map(([name, at], i) => entry(i + 1, name, Math.max(at, createdAt)));
}
