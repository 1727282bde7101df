import { PaymentRefused } from '../../../providers/payments/port.ts';
import { conflict, unavailable } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { providerOf } from '../provider.ts';
import type { AgreementRow } from './queries.ts';

/** Where the customer changes the card and sees invoices. Null: this provider has no such page. */
export async function openPortal(ctx: Steps, agreement: AgreementRow, returnUrl: string): Promise<string | null> {
  if (agreement.customerId === null) return null;
  try {
    const provider = await providerOf(ctx, agreement);
    if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
    return await provider.portalUrl(agreement.customerId, returnUrl);
  } catch (error) {
    ctx.log.warn({ err: error, agreementId: agreement.id }, 'the payment provider opened no portal');
    if (error instanceof PaymentRefused) throw conflict('The payment provider has no such page for this shop.');
    throw unavailable('The payment provider does not answer. Try again soon.');
  }
}
