/** The addresses of a cart. They are checked and normalized if prices depend on them. Pure. */
import { checkAddress, normalizeAddress } from '../../../shared/addresses/index.ts';
import { type Address, type PartialAddress, tidyAddress } from '../../../shared/schemas.ts';
import type { Configs } from '../../businesses/index.ts';
import type { ReportError } from '../errors.ts';
import { hasZones } from '../shipping.ts';
import { hasTaxRates, vatIdOf } from '../taxes/taxes.ts';

export type Addresses = { shippingAddress: Address | null; billingAddress: Address | null };

type Given = {
  shippingAddress?: PartialAddress | null | undefined;
  billingAddress?: PartialAddress | null | undefined;
};

/** Null if nothing was entered. */
export const addressOf = (given: PartialAddress | null | undefined): Address | null => {
  const address = given ? tidyAddress(given) : null;
  return address && Object.values(address).some((part) => part !== '') ? address : null;
};

export const addressesOf = ({ shippingAddress, billingAddress }: Given): Addresses => ({
  shippingAddress: addressOf(shippingAddress),
  billingAddress: addressOf(billingAddress),
});

const usesPlaces = (configs: Configs) =>
  hasZones(configs) ||
  hasTaxRates(configs) ||
  configs.tax?.provider !== undefined ||
  (configs.shippingMethods ?? []).some(({ carrier }) => carrier !== undefined);

/** If prices don't depend on addresses, they are kept as given. A checkout needs complete addresses; a quote only needs a country. */
export function checkAddresses(
  { shippingAddress, billingAddress }: Addresses,
  configs: Configs,
  { forCheckout }: { forCheckout: boolean },
  report: ReportError,
): Addresses {
  if (!usesPlaces(configs)) return { shippingAddress, billingAddress };
  const check = (address: Address | null, field: string) => {
    if (address === null) return null;
    const normalized = normalizeAddress(address);
    const errors = checkAddress(normalized, field).filter(
      (each) => forCheckout || (each.field === `${field}.country` && normalized.country !== ''),
    );
    for (const { field: at, error, message } of errors) report(at, error, message);
    return normalized;
  };
  return {
    shippingAddress: check(shippingAddress, 'shippingAddress'),
    billingAddress: check(billingAddress, 'billingAddress'),
  };
}

/** Whether both result in the same price. Addresses missing from the second are taken from the first. */
export function isSamePlace(priced: Addresses, given: Addresses, configs: Configs): boolean {
  if (!usesPlaces(configs)) return true;
  const key = (addresses: Addresses) => {
    const places = [addresses.shippingAddress, addresses.billingAddress].map((address) => {
      const { country, state, zip } = normalizeAddress(address ?? { country: '', state: '', zip: '' });
      return [country, state, zip];
    });
    return JSON.stringify([places, vatIdOf(addresses)]);
  };
  return key(priced) === key(withDefaults(given, priced));
}

export const withDefaults = (given: Addresses, defaults: Addresses): Addresses => ({
  shippingAddress: given.shippingAddress ?? defaults.shippingAddress,
  billingAddress: given.billingAddress ?? defaults.billingAddress,
});
