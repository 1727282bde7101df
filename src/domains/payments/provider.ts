import type { PaymentProvider } from '../../providers/payments/port.ts';
import { providerSecrets } from '../businesses/index.ts';
import type { Query } from './context.ts';
import type { PaymentRow } from './queries.ts';

type ProviderRef = Pick<PaymentRow, 'businessId' | 'provider'>;

/** Returns null if the business has removed its keys. */
export async function providerOf(ctx: Query, { businessId, provider }: ProviderRef): Promise<PaymentProvider | null> {
  if (provider === 'SANDBOX') return ctx.payments.sandbox.provider;
  const { type, secretKey } = await providerSecrets(ctx, businessId);
  return type === 'STRIPE' && secretKey ? ctx.payments.stripe.provider(secretKey) : null;
}
