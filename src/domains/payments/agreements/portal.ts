import { PaymentRefused } from '../../../providers/payments/port.ts';
import { conflict, unavailable } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';
import { providerOf } from '../provider.ts';
import type { AgreementRow } from './queries.ts';

/** The URL where customers update their card and see their invoices. Null if the provider has no such page. */
export async function openPortal(ctx: Query, agreement: AgreementRow, returnUrl: string): Promise<string | null> {
  if (agreement.customerId === null) return null;
  try {
    const provider = await providerOf(ctx, agreement);
    if (!provider) throw new PaymentRefused('The business has no payment provider keys.');
    return await provider.portalUrl(agreement.customerId, returnUrl);
  } catch (error) {
    ctx.log.warn({ err: error, agreementId: agreement.id }, 'Failed to open the billing portal');
    if (error instanceof PaymentRefused) throw conflict('The payment provider has no billing portal for this shop.');
    throw unavailable('The payment provider is not responding. Try again later.');
  }
}
