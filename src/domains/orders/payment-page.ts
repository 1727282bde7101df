import { inTransaction } from '../../db/connection.ts';
import { systemStatus } from '../../shared/statuses.ts';
import type { OrdersContext } from './context.ts';
import type { OrderRow, PaymentLine } from './order.ts';
import { closePayment, findPayment, lockPayment, type PaymentRow } from './payment-queries.ts';
import { lockOrder } from './queries.ts';
import { addStatuses } from './transitions.ts';

export type PaymentView = {
  state: 'OPEN' | 'PAID' | 'EXPIRED';
  /** Whether there are buttons: the payment is one of the sandbox. */
  isSandbox: boolean;
  businessName: string;
  lines: PaymentLine[];
  amount: number;
  currency: string;
  returnUrl: string | null;
  cancelUrl: string | null;
};

export type PayAction = 'pay' | 'decline' | 'cancel';

/** What the sandbox's page shows and does. Null: the token is not one of ours. */
export function createPaymentPage(ctx: OrdersContext) {
  const { deps, payments, businesses } = ctx;

  function stateOf({ status, expiresAt }: PaymentRow): PaymentView['state'] {
    if (status !== 'OPEN') return status === 'PAID' ? 'PAID' : 'EXPIRED';
    return expiresAt > deps.clock.seconds() ? 'OPEN' : 'EXPIRED';
  }

  async function viewOf(payment: PaymentRow): Promise<PaymentView> {
    const { amount, currency, doc, provider, businessId } = payment;
    const { name: businessName } = await businesses.get(businessId);
    const { lines, returnUrl, cancelUrl } = doc;
    return {
      ...{ state: stateOf(payment), isSandbox: provider === 'SANDBOX', businessName, lines, amount, currency },
      ...{ returnUrl, cancelUrl },
    };
  }

  async function find(token: string): Promise<PaymentRow | null> {
    const named = payments.sandbox.readToken(token);
    return named && findPayment(deps.pool, named.businessId, named.paymentId);
  }

  return {
    async show(token: string): Promise<PaymentView | null> {
      const payment = await find(token);
      return payment && viewOf(payment);
    },
    /** What the payment is afterwards. Doing it twice, or after it has ended, changes nothing. */
    async act(token: string, action: PayAction): Promise<PaymentView | null> {
      const payment = await find(token);
      if (payment?.provider !== 'SANDBOX') return payment && viewOf(payment);
      await inTransaction(deps.pool, async (tx) => {
        const order = payment.purpose === 'ORDER' ? await lockOrder(tx, payment.businessId, payment.reference) : null;
        const current = await lockPayment(tx, payment.businessId, payment.id);
        if (!current || stateOf(current) !== 'OPEN') return;
        if (action === 'pay') await payments.settle(tx, current, { amount: current.amount, chargeId: current.id });
        else if (action === 'decline') await payments.fail(tx, current);
        else await giveUp(tx, current, order);
      });
      return viewOf((await find(token))!);
    },
  };

  /** The customer does not want it: what was held for him is free at once. */
  async function giveUp(tx: Parameters<typeof payments.close>[0], payment: PaymentRow, order: OrderRow | null) {
    const now = deps.clock.seconds();
    if (order?.status !== 'PENDING') return payments.close(tx, payment);
    await closePayment(tx, payment.businessId, payment.id, now);
    const entry = { ...systemStatus('CANCELLED', now), changedBy: 'USER', userId: order.customerId };
    const paymentStatus = order.paymentStatus === 'PENDING' ? [systemStatus('FAILED', now)] : [];
    await addStatuses(ctx, tx, order, { statuses: [entry], paymentStatus }, order.customerId);
  }
}

export type PaymentPage = ReturnType<typeof createPaymentPage>;
