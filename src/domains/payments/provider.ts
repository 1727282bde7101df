import type { PaymentProvider } from '../../providers/payments/port.ts';
import type { Steps } from './context.ts';
import type { PaymentRow } from './queries.ts';

/** Null: the business has taken its keys away. */
export async function providerOf(
  { businesses, payments }: Steps,
  { businessId, provider }: PaymentRow,
): Promise<PaymentProvider | null> {
  if (provider === 'SANDBOX') return payments.sandbox.provider;
  const { type, secretKey } = await businesses.providerSecrets(businessId);
  return type === 'STRIPE' && secretKey ? payments.stripe.provider(secretKey) : null;
}
