/** The form values of the shipping settings. */
import type { Market, ShippingMethod } from '@souk/client';
import { filledAddress } from '../../../parts/form/address.tsx';
import { filledEndpoint } from '../endpoint-fields.tsx';
import { withCodes } from './codes.ts';

export type Values = { shippingMethods: ShippingMethod[] };

/** `at` finds the error of a field, `within` the first error of the field or of anything in it. */
export type Problems = { at: (field: string) => string | undefined; within: (field: string) => string | undefined };

export const newMethod = (markets: Market[]): ShippingMethod => ({
  id: '',
  name: '',
  type: 'SHIPPING',
  taxable: true,
  etaText: '',
  prices: markets.map(({ id }) => ({ market: id, amount: 0 })),
});

/** The methods as the API expects them. */
export const toMethods = (methods: readonly ShippingMethod[]) => withCodes(methods).map(withoutEmpty);

function withoutEmpty({
  name,
  etaText,
  countries,
  zones,
  locations,
  carrier,
  ...method
}: ShippingMethod): ShippingMethod {
  const isPickup = method.type === 'PICKUP';
  const endpoint = filledEndpoint(carrier);
  return {
    ...method,
    ...(name?.trim() ? { name } : {}),
    ...(etaText?.trim() ? { etaText } : {}),
    ...(countries?.length ? { countries } : {}),
    ...(zones?.length && !isPickup ? { zones: zones.map(withoutEmptyLists) } : {}),
    ...(endpoint ? { carrier: endpoint } : {}),
    ...(locations?.length && isPickup
      ? { locations: locations.map((each) => ({ ...each, address: filledAddress(each.address) })) }
      : {}),
  };
}

function withoutEmptyLists({ states, zips, ...zone }: NonNullable<ShippingMethod['zones']>[number]) {
  return { ...zone, ...(states?.length ? { states } : {}), ...(zips?.length ? { zips } : {}) };
}
