import type { PaymentProvider } from '../../providers/payments/port.ts';
import { providerSecrets } from '../businesses/index.ts';
import type { Steps } from './context.ts';
import type { PaymentRow } from './queries.ts';

type Served = Pick<PaymentRow, 'businessId' | 'provider'>;

/** Null: the business has taken its keys away. */
export async function providerOf(ctx: Steps, { businessId, provider }: Served): Promise<PaymentProvider | null> {
  if (provider === 'SANDBOX') return ctx.payments.sandbox.provider;
  const { type, secretKey } = await providerSecrets(ctx, businessId);
  return type === 'STRIPE' && secretKey ? ctx.payments.stripe.provider(secretKey) : null;
}
