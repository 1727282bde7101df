/** Prices of a new order, requested again after each change. */
import type { Quote, ShippingOption } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { souk } from '../../shell/session.ts';

const TYPING_MS = 200;

/** Keeps the previous result until the next one, except after an error. */
function useRequested<I, T>(input: I, isReady: boolean, request: (input: I, signal: AbortSignal) => Promise<T>) {
  const [state, setState] = useState<{ result: T | null; error: unknown }>({ result: null, error: undefined });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (!isReady) return setState({ result: null, error: undefined });
    const controller = new AbortController();
    const timer = setTimeout(() => {
      request(input, controller.signal).then(
        (result) => setState({ result, error: undefined }),
        (error) => !controller.signal.aborted && setState({ result: null, error }),
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return state;
}

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
