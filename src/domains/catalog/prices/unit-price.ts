/** The price per kilogram, liter, meter, square meter or piece. Pure. */
import { UNITS, type UnitPrice, type UnitPricing } from '../products/detail-schemas.ts';
import type { MarketPrice } from '../products/schemas.ts';

function unitPriceOf(price: number, { amount, unit, reference }: UnitPricing): UnitPrice {
  const { per, size } = UNITS[unit];
  return { amount: Math.round((price * reference * size) / amount), per, quantity: reference };
}

type Priced = { unitPricing?: UnitPricing; pricing: { markets: MarketPrice[] } };

/** Adds unit prices to a variant that has `unitPricing`. */
export function withUnitPrices<V extends Priced>(variant: V): V {
  const { unitPricing, pricing } = variant;
  if (!unitPricing) return variant;
  const markets = pricing.markets.map((price) => ({ ...price, unitPrice: unitPriceOf(price.price, unitPricing) }));
  return { ...variant, pricing: { ...pricing, markets } };
}
