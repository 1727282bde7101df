import { asIs, type Done, done } from '../../context/command.ts';
import { consumeCallLimit } from '../../db/call-limits.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { completeAddress } from '../../shared/schemas.ts';
import { getBusiness } from '../businesses/index.ts';
import { listSellables } from '../catalog/index.ts';
import { listCarrierRates } from './carrier-rates.ts';
import { cartRequestOf, resolveCart } from './cart.ts';
import { command } from './context.ts';
import type { ReportError } from './errors.ts';
import { nameVariants } from './quote.ts';
import type { ShippingOption, ShippingOptions, ShippingOptionsInput } from './schemas.ts';
import { listShipping, type PricedMethod } from './shipping.ts';

/** The shipping methods that serve an address, with their prices. Without an address, the prices are estimates. */
export const listShippingOptions = command({
  async prepare(caller, input: ShippingOptionsInput): Promise<Done<ShippingOptions>> {
    await consumeCallLimit(caller, 'quote');
    const ctx = caller.within(input.businessId);
    const request = cartRequestOf(input, { forCheckout: false });
    const [{ configs }, sellables] = await Promise.all([
      getBusiness(ctx, ctx.businessId),
      listSellables(ctx.quick, ctx.businessId, request.items, ctx.publicUrl()),
    ]);
    const errors: FieldError[] = [];
    const report: ReportError = (field, error, message) => errors.push({ field, error, message });
    const { market, addresses, ...cart } = resolveCart(request, { configs, sellables }, report);
    if (errors.length > 0) throw invalid(await nameVariants(ctx, request, sellables, errors));
    const code = market?.id ?? request.market;
    const rates = await listCarrierRates(ctx, configs, { ...cart, ...addresses, market: code });
    const methods = listShipping(configs, code, addresses.shippingAddress, cart.parcel, rates);
    return done({ items: methods.map((priced) => optionOf(priced, cart.currency)) });
  },
  execute: asIs<ShippingOptions>,
});

function optionOf({ method, amount }: PricedMethod, currency: string): ShippingOption {
  const { id, name = id, type = 'SHIPPING', etaText = null, locations = [] } = method;
  return {
    shippingMethodId: id,
    name,
    type,
    amount,
    currency,
    etaText,
    ...(type === 'PICKUP' && {
      locations: locations.map((location) => ({ ...location, address: completeAddress(location.address) })),
    }),
  };
}
