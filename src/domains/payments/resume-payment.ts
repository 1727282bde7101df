/** Payments that customers start with a public link that stays valid. A payment that was closed can be started again. */
import { conflict } from '../../shared/errors.ts';
import type { Steps } from './context.ts';
import { findPayment, type PaymentRow } from './queries.ts';
import { type NewPayment, openSession, preparePayment } from './sessions.ts';
import { watchPayment } from './watch.ts';

/** Prepares the payment with this ID for `upsertPayment`. An expired one is closed first, so that its session can't be paid. */
export async function prepareResumedPayment(ctx: Steps, id: string, input: NewPayment): Promise<PaymentRow> {
  const existing = await findPayment(ctx.db, ctx.businessId, id);
  if (existing && isExpired(ctx, existing)) await watchPayment(ctx, existing);
  return preparePayment(ctx, id, input);
}

/** Returns the URL of the payment page. */
export async function openResumedPayment(ctx: Steps, id: string): Promise<string> {
  const payment = await findPayment(ctx.db, ctx.businessId, id);
  if (payment?.status !== 'OPEN' || isExpired(ctx, payment)) {
    throw conflict('This payment is being completed. Try again in a minute.');
  }
  return openSession(ctx, payment, { isPublic: true });
}

const isExpired = ({ now }: Steps, { status, expiresAt }: PaymentRow) => status === 'OPEN' && expiresAt <= now;
