/** Prices of a new order, requested again after each change. */
import type { Quote, ShippingOption } from '@souk/client';
import { useRequested } from '../../parts/use-requested.ts';
import { souk } from '../../shell/session.ts';

type QuoteInput = Parameters<typeof souk.payments.quote>[0];

export function useQuote(input: QuoteInput): { quote: Quote | null; error: unknown } {
  const isReady = Boolean(input.items?.length && input.market);
  const { result, error } = useRequested(input, isReady, (cart, signal) => souk.payments.quote(cart, { signal }));
  return { quote: result, error };
}

type OptionsInput = Parameters<typeof souk.payments.listShippingOptions>[0];

/** The shipping methods that serve the address. */
export function useShippingOptions(input: OptionsInput): ShippingOption[] {
  const isReady = Boolean(input.items?.length && input.market);
  const { result } = useRequested(input, isReady, (cart, signal) =>
    souk.payments.listShippingOptions(cart, { signal }),
  );
  return result?.items ?? [];
}
