/** Tax from the provider of the business. If it fails, the tax rates apply. */
import type { TaxQuote } from '../../../providers/tax/port.ts';
import { type Configs, TAX_PROVIDER } from '../../businesses/index.ts';
import type { Priced } from '../cart.ts';
import type { Query } from '../context.ts';
import { displayOf } from '../pricing.ts';
import { originOf } from './taxes.ts';

export async function findTaxQuote(ctx: Query, configs: Configs, priced: Priced): Promise<TaxQuote | null> {
  const address = priced.shippingAddress ?? priced.billingAddress;
  if (!configs.tax?.provider || !address?.country || priced.taxExempt) return null;
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
