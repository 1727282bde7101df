/** Tax from the provider of the business. If it fails, the tax rates apply. */
import type { TaxQuote } from '../../../providers/tax/port.ts';
import { type Configs, TAX_PROVIDER } from '../../businesses/index.ts';
import type { Priced } from '../cart.ts';
import type { Query } from '../context.ts';
import { displayOf } from '../pricing.ts';
import { defaultPlaceOf, originOf } from './taxes.ts';

type Delivery = Partial<
  Pick<Priced, 'shippingMethodId' | 'pickupLocationId' | 'shippingAddress' | 'billingAddress'>
> & { market: string };

/** The address where the tax is due. For pickup orders, it is the pickup location. Null if the address is unknown. */
export function taxAddressOf(configs: Configs, delivery: Delivery) {
  const method = configs.shippingMethods?.find(({ id }) => id === delivery.shippingMethodId);
  const location = method?.locations?.find(({ id }) => id === delivery.pickupLocationId);
  const places =
    method?.type === 'PICKUP'
      ? [location?.address, defaultPlaceOf(configs, delivery.market)]
      : [delivery.shippingAddress, delivery.billingAddress];
  return places.find((place) => place?.country) ?? null;
}

export async function findTaxQuote(ctx: Query, configs: Configs, priced: Priced): Promise<TaxQuote | null> {
  if (!configs.tax?.provider || priced.taxExempt) return null;
  const address = taxAddressOf(configs, priced);
  if (address === null) return null;
  const receiver = ctx.businesses.vault.endpoint(ctx.businessId, configs, TAX_PROVIDER);
  const { market, currency, taxMode, lines, discount } = priced;
  const shippingDiscount = discount - lines.reduce((sum, line) => sum + line.discount, 0);
  const request = {
    market,
    currency,
    taxIncluded: taxMode === 'INCLUSIVE',
    origin: originOf(configs),
    address,
    lines: lines.map(({ productId, variantId, taxClassId = 'standard', quantity, totalPrice, discount: share }) => ({
      productId,
      variantId,
      taxClassId,
      quantity,
      amount: totalPrice - share,
    })),
    shipping: displayOf(priced).shipping - shippingDiscount,
  };
  try {
    return await ctx.pricing.taxProvider.quote(receiver!, request, ctx.now);
  } catch (error) {
    ctx.log.warn({ businessId: ctx.businessId }, `Tax provider failed: ${(error as Error).message}`);
    return null;
  }
}
