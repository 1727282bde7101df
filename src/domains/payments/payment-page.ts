/** Data and actions of the sandbox payment page. Functions return null for an invalid token. */
import type { PaymentKey } from '../../providers/payments/sandbox.ts';
import type { Language } from '../../shared/mail/languages.ts';
import { getBusiness, readerLanguage } from '../businesses/index.ts';
import type { Command, Query } from './context.ts';
import { closePayment, declinePayment, payInSandbox } from './outcomes.ts';
import { isSandboxOn } from './provider.ts';
import { findPayment, type PaymentLine, type PaymentRef, type PaymentRow } from './queries.ts';

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

export async function showPayment(ctx: Query, token: string): Promise<PaymentView | null> {
  const key = ctx.payments.sandbox.readToken(token);
  const payment = key && (await findPayment(ctx.quick, key.businessId, key.id));
  return payment && viewOf(ctx, payment);
}

/** Returns the payment after the action. Repeating an action, or acting on a closed payment, has no effect. */
export async function actOnPayment(
  ctx: Command,
  { token, action }: { token: string; action: PayAction },
): Promise<PaymentView | null> {
  const key = ctx.payments.sandbox.readToken(token);
  if (!key) return null;
  const { businessId } = key;
  const updated = (await isSandboxOn(ctx, businessId)) ? await ACTIONS[action](ctx.within(businessId), key) : null;
  const payment = updated ?? (await findPayment(ctx.db, businessId, key.id));
  return payment && viewOf(ctx, payment);
}

/** Each action returns the updated payment, or null if it had no effect. */
const ACTIONS: Record<PayAction, (ctx: Command, key: PaymentKey) => Promise<PaymentRow | null>> = {
  async pay(ctx, key) {
    const payment = isPaymentRef(key) ? key : await findPayment(ctx.db, key.businessId, key.id);
    return payment && payInSandbox(ctx, payment);
  },
  async decline(ctx, key) {
    const payment = await findOpen(ctx, key);
    return payment && declinePayment(ctx, payment);
  },
  async cancel(ctx, key) {
    const payment = await findOpen(ctx, key);
    return payment && closePayment(ctx, payment, 'abandoned');
  },
};

/** Links from older versions don't name the purchase. */
const isPaymentRef = (key: PaymentKey): key is PaymentRef => 'reference' in key;

async function findOpen(ctx: Command, { businessId, id }: PaymentKey): Promise<PaymentRow | null> {
  const payment = await findPayment(ctx.db, businessId, id);
  const isOpen = payment?.provider === 'SANDBOX' && (await stateOf(ctx, payment)) === 'OPEN';
  return isOpen ? payment : null;
}

/** Sandbox payments end when the sandbox is switched off. Otherwise, their links would let customers order without paying. */
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
