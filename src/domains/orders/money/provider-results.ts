/** Carrier rates, tax and VAT checks for an order that staff create or edit, from the same providers as for a checkout. */
import {
  type CarrierRates,
  checkVatId,
  findStoredCheck,
  findTaxQuote,
  hasCarrier,
  listCarrierRates,
  parcelOf,
  vatIdToCheck,
} from '../../pricing/index.ts';
import type { Command, Steps } from '../context.ts';
import { resolveLines } from './price-lines.ts';
import { type Cart, priceOrder } from './price-order.ts';
import { type PricingFacts, resolveTerms } from './price-terms.ts';

export type ProviderResults = Pick<PricingFacts, 'vatCheck' | 'carrierRates' | 'taxQuote'>;

type Facts = Omit<PricingFacts, keyof ProviderResults>;

const NONE = { vatCheck: null, carrierRates: new Map(), taxQuote: null };

/** Calls the providers that the price depends on. Holds no connection while it waits. */
export async function callProviders(
  ctx: Steps,
  cart: Cart,
  facts: Facts,
  customerId: string,
): Promise<ProviderResults> {
  const { configs } = facts;
  const vatId = vatIdToCheck(configs, cart);
  const isPriced = isPricedByUs(cart, facts);
  const [vatCheck, carrierRates] = await Promise.all([
    vatId === null ? null : checkVatId(ctx, vatId, customerId),
    isPriced && hasCarrier(configs, cart.shippingMethodId) ? callCarrier(ctx, cart, facts) : new Map(),
  ]);
  if (!isPriced || !configs.tax?.provider) return { vatCheck, carrierRates, taxQuote: null };
  const checked = priceOrder(cart, { ...facts, ...NONE, vatCheck, carrierRates });
  const taxQuote = 'priced' in checked ? await findTaxQuote(ctx, configs, checked.priced) : null;
  return { vatCheck, carrierRates, taxQuote };
}

/** The stored results, for transactions, which can't call providers. */
export async function storedProviderResults(ctx: Command, cart: Cart, { configs }: Facts): Promise<ProviderResults> {
  const vatId = vatIdToCheck(configs, cart);
  const vatCheck = vatId === null ? null : ((await findStoredCheck(ctx, vatId)) ?? 'UNCHECKED');
  return { ...NONE, vatCheck };
}

/** Whether Souk computes the price. Amounts that staff entered are kept, and an edit with totals keeps the amounts of the order. */
function isPricedByUs({ totals }: Cart, { previous }: Facts): boolean {
  if (previous !== null) return Object.keys(totals).length === 0;
  return totals.subtotal === undefined && totals.tax === undefined && totals.shipping === undefined;
}

function callCarrier(ctx: Steps, cart: Cart, facts: Facts): Promise<CarrierRates> {
  const { lines } = resolveLines(cart, facts);
  const { terms } = resolveTerms(cart, { ...facts, ...NONE, lines, hasTotals: false });
  const { market, currency, shippingAddress } = terms;
  const shipped = { market, currency, shippingAddress, lines, parcel: parcelOf(lines) };
  return listCarrierRates(ctx, facts.configs, shipped, cart.shippingMethodId);
}
