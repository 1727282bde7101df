/** Live rates of shipping methods that have a carrier. A carrier that fails is left out, so that the price table applies. */
import type { RateRequest } from '../../providers/shipping/port.ts';
import type { Address } from '../../shared/schemas.ts';
import { type Configs, carrierName, type ShippingMethod } from '../businesses/index.ts';
import type { Query } from './context.ts';
import { type CarrierRates, isListed, type Parcel } from './shipping.ts';

type Shipped = {
  market: string;
  currency: string;
  shippingAddress: Address | null;
  parcel: Parcel;
  lines: readonly (Omit<RateRequest['lines'][number], 'weight'> & {
    weight?: number | undefined;
    requiresShipping?: boolean | undefined;
  })[];
};

/** Rates for one method, or for all methods if `methodId` is undefined. */
export async function listCarrierRates(
  ctx: Query,
  configs: Configs,
  shipped: Shipped,
  methodId?: string | null,
): Promise<CarrierRates> {
  const { shippingAddress: address, parcel } = shipped;
  const methods = (configs.shippingMethods ?? []).filter(
    (method) => method.carrier && (methodId === undefined || method.id === methodId),
  );
  if (methods.length === 0 || !address?.country || !parcel.isShipped) return new Map();
  const served = methods.filter((method) => isListed(method, address));
  const rates = await Promise.all(served.map((method) => callCarrier(ctx, configs, method, shipped)));
  return new Map(rates.flatMap((rate, i) => (rate ? [[served[i]!.id, rate]] : [])));
}

async function callCarrier(ctx: Query, configs: Configs, { id }: ShippingMethod, shipped: Shipped) {
  const { market, currency, shippingAddress: address, lines } = shipped;
  const receiver = ctx.businesses.vault.endpoint(ctx.businessId, configs, carrierName(id));
  const request: RateRequest = {
    shippingMethodId: id,
    market,
    currency,
    address,
    lines: lines
      .filter(({ requiresShipping = true }) => requiresShipping)
      .map(({ productId, variantId, sku, quantity, unitPrice, weight = null }) => ({
        productId,
        variantId,
        sku,
        quantity,
        unitPrice,
        weight,
      })),
  };
  try {
    return await ctx.pricing.carriers.quote(receiver!, request, ctx.now);
  } catch (error) {
    ctx.log.warn({ businessId: ctx.businessId, shippingMethodId: id }, `Carrier failed: ${(error as Error).message}`);
    return null;
  }
}

export const hasCarrier = ({ shippingMethods = [] }: Configs, methodId: string | null | undefined) =>
  shippingMethods.some(({ id, carrier }) => carrier !== undefined && id === methodId);
