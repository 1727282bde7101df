/** What the page of the sandbox shows and does. Null: the token is not one of ours. */
import { getBusiness } from '../businesses/index.ts';
import type { Command, Steps } from './context.ts';
import { closePayment, declinePayment, payInSandbox } from './outcomes.ts';
import { findPayment, type PaymentLine, type PaymentRow } from './queries.ts';

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

/** Each returns the payment as it is afterwards; null: it was not open any more. */
const ACTIONS: Record<PayAction, (ctx: Command, payment: PaymentRow) => Promise<PaymentRow | null>> = {
  pay: payInSandbox,
  decline: declinePayment,
  cancel: (ctx, payment) => closePayment(ctx, payment, 'givenUp'),
};

export async function showPayment(ctx: Steps, token: string): Promise<PaymentView | null> {
  const payment = await findByToken(ctx, token);
  return payment && viewOf(ctx, payment);
}

/** What the payment is afterwards. Doing it twice, or after it has ended, changes nothing. */
export async function actOnPayment(
  ctx: Steps,
  { token, action }: { token: string; action: PayAction },
): Promise<PaymentView | null> {
  const payment = await findByToken(ctx, token);
  if (!payment) return null;
  const isPayable = payment.provider === 'SANDBOX' && stateOf(ctx, payment) === 'OPEN';
  if (!isPayable) return viewOf(ctx, payment);
  const acted = await ctx.within(payment.businessId).transaction((tx) => ACTIONS[action](tx, payment));
  return viewOf(ctx, acted ?? (await findByToken(ctx, token))!);
}

async function findByToken({ quick, payments }: Steps, token: string): Promise<PaymentRow | null> {
  const named = payments.sandbox.readToken(token);
  return named && findPayment(quick, named.businessId, named.paymentId);
}

function stateOf({ now }: Steps, { status, expiresAt }: PaymentRow): PaymentView['state'] {
  if (status !== 'OPEN') return status === 'PAID' ? 'PAID' : 'EXPIRED';
  return expiresAt > now ? 'OPEN' : 'EXPIRED';
}

async function viewOf(ctx: Steps, payment: PaymentRow): Promise<PaymentView> {
  const { amount, currency, doc, provider, businessId } = payment;
  const { name: businessName } = await getBusiness(ctx, businessId);
  const { lines, returnUrl, cancelUrl } = doc;
  return {
    ...{ state: stateOf(ctx, payment), isSandbox: provider === 'SANDBOX', businessName, lines, amount, currency },
    ...{ returnUrl, cancelUrl },
  };
}
