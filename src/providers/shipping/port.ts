import type { Receiver } from '../outbound/json-call.ts';

/** A parcel to price. Identical requests get the same price for a few minutes. */
export type RateRequest = {
  shippingMethodId: string;
  market: string;
  currency: string;
  address: object | null;
  lines: readonly {
    productId: string;
    variantId: string;
    sku: string;
    quantity: number;
    unitPrice: number;
    weight: number | null;
  }[];
};

/** `amount` is null if the carrier does not serve the address. */
export type Rate = { amount: number | null; etaText?: string };

export type Carriers = {
  /** Throws `CallFailed`. */
  quote(receiver: Receiver, request: RateRequest, nowSeconds: number): Promise<Rate>;
};
