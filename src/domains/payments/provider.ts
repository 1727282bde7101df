import type { PaymentProvider } from '../../providers/payments/port.ts';
import { getBusiness, providerSecrets } from '../businesses/index.ts';
import type { Command, Query } from './context.ts';
import type { PaymentRow } from './queries.ts';

type ProviderRef = Pick<PaymentRow, 'businessId' | 'provider'>;

/** Returns null if the business has removed its keys. */
export async function providerOf(ctx: Query, { businessId, provider }: ProviderRef): Promise<PaymentProvider | null> {
  if (provider === 'SANDBOX') return ctx.payments.sandbox.provider;
  const { type, secretKey } = await providerSecrets(ctx, businessId);
  return type === 'STRIPE' && secretKey ? ctx.payments.stripe.provider(secretKey) : null;
}

/** Whether sandbox payments can be made: not once the operator has switched it off or the business has another provider. */
export async function isSandboxOn(ctx: Query | Command, businessId: string): Promise<boolean> {
  if (!ctx.config.paymentSandbox) return false;
  const { paymentProvider } = (await getBusiness(ctx, businessId)).configs;
  return (paymentProvider?.type ?? 'SANDBOX') === 'SANDBOX';
}
