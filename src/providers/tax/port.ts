import type { Receiver } from '../outbound/json-call.ts';

/** A cart to tax. Amounts are in minor units, after discounts. */
export type TaxRequest = {
  market: string;
  currency: string;
  taxIncluded: boolean;
  origin: object | null;
  address: object | null;
  lines: readonly { productId: string; variantId: string; taxClassId: string; quantity: number; amount: number }[];
  shipping: number;
};

/** The tax on each line, in the order of the request, and on shipping. */
export type TaxQuote = {
  lines: { tax: number }[];
  shipping: number;
  taxLines?: { name: string; bps: number; base: number; amount: number }[];
};

/** A sale, its cancellation or a refund. The provider counts each `id` once, however often it is sent. */
type TaxReport = {
  id: string;
  type: 'tax.commit' | 'tax.refund';
  payload: object;
};

export type TaxProvider = {
  /** Throws `CallFailed`. */
  quote(receiver: Receiver, request: TaxRequest, nowSeconds: number): Promise<TaxQuote>;
  /** Throws `CallFailed`. */
  report(receiver: Receiver, report: TaxReport, nowSeconds: number): Promise<void>;
};
