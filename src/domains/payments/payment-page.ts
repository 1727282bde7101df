/** Data and actions of the sandbox payment page. Functions return null for an invalid token. */
import type { Db } from '../../db/sql.ts';
import type { Language } from '../../shared/mail/languages.ts';
import { getBusiness, readerLanguage } from '../businesses/index.ts';
import type { Command, Query } from './context.ts';
import { closePayment, declinePayment, payInSandbox } from './outcomes.ts';
import { isSandboxOn } from './provider.ts';
import { findPayment, type PaymentLine, type PaymentRow } from './queries.ts';

export type PaymentView = {
  state: 'OPEN' | 'PAID' | 'EXPIRED';
  /** Sandbox payments can be completed on the page. */
  isSandbox: boolean;
  businessName: string;
  language: Language;
  lines: PaymentLine[];
  amount: number;
  currency: string;
  returnUrl: string | null;
  cancelUrl: string | null;
};

type PayAction = 'pay' | 'decline' | 'cancel';

/** Each action returns the updated payment, or null if it was no longer open. */
const ACTIONS: Record<PayAction, (ctx: Command, payment: PaymentRow) => Promise<PaymentRow | null>> = {
  pay: payInSandbox,
  decline: declinePayment,
  cancel: (ctx, payment) => closePayment(ctx, payment, 'abandoned'),
};

export async function showPayment(ctx: Query, token: string): Promise<PaymentView | null> {
  const payment = await findByToken(ctx.quick, ctx, token);
  return payment && viewOf(ctx, payment);
}

/** Returns the payment after the action. Repeating an action, or acting on a closed payment, has no effect. */
export async function actOnPayment(
  ctx: Command,
  { token, action }: { token: string; action: PayAction },
): Promise<PaymentView | null> {
  const payment = await findByToken(ctx.db, ctx, token);
  if (!payment) return null;
  const isPayable = payment.provider === 'SANDBOX' && (await stateOf(ctx, payment)) === 'OPEN';
  if (!isPayable) return viewOf(ctx, payment);
  const updated = await ACTIONS[action](ctx.within(payment.businessId), payment);
  return viewOf(ctx, updated ?? (await findByToken(ctx.db, ctx, token))!);
}

async function findByToken(db: Db, { payments }: Query | Command, token: string): Promise<PaymentRow | null> {
  const ids = payments.sandbox.readToken(token);
  return ids && findPayment(db, ids.businessId, ids.paymentId);
}

/** Sandbox payments end when the sandbox is switched off, or their links would let customers order without paying. */
async function stateOf(ctx: Query | Command, payment: PaymentRow): Promise<PaymentView['state']> {
  const { status, expiresAt, provider, businessId } = payment;
  if (status !== 'OPEN') return status === 'PAID' ? 'PAID' : 'EXPIRED';
  if (expiresAt <= ctx.now) return 'EXPIRED';
  return provider !== 'SANDBOX' || (await isSandboxOn(ctx, businessId)) ? 'OPEN' : 'EXPIRED';
}

async function viewOf(ctx: Query | Command, payment: PaymentRow): Promise<PaymentView> {
  const { amount, currency, doc, provider, businessId } = payment;
  const { name: businessName } = await getBusiness(ctx, businessId);
  const { lines, returnUrl, cancelUrl, language } = doc;
  return {
    state: await stateOf(ctx, payment),
    isSandbox: provider === 'SANDBOX',
    businessName,
    language: await readerLanguage(ctx, businessId, language),
    lines,
    amount,
    currency,
    returnUrl,
    cancelUrl,
  };
}
